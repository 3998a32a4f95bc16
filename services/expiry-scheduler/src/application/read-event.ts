import type { InteractionEvent } from "@interlude/contract";
import { type Delivery, type Log, readDelivery, type StoredEntry } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";

/**
 * The event of a delivery. What this process cannot read is to be tried again, whatever it is: a newer one may
 * be able to, and a deadline may hang on it. @throws ServiceFailure `event_unreadable`
 */
export function readEvent(log: Log, delivery: Delivery): { id: string; event: InteractionEvent } {
  const { entry, address } = read(log, delivery);
  if ("unknownType" in entry) throw unreadable(delivery, `unknown event type ${entry.unknownType}`);
  return { id: address.id, event: entry };
}

export function unreadable(
  { subject, sequence }: Delivery,
  message: string,
  cause?: unknown,
): ServiceFailure {
  const context = { subject, sequence };
  return new ServiceFailure("event_unreadable", { retry: "later", context, message, cause });
}

export function isUnreadable(error: unknown): error is ServiceFailure {
  return error instanceof ServiceFailure && error.code === "event_unreadable";
}

function read(log: Log, delivery: Delivery): StoredEntry {
  try {
    return readDelivery(log, delivery);
  } catch (cause) {
    throw unreadable(delivery, "its data is not what its type promises", cause);
  }
}
