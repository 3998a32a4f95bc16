import { parseRunEvent, type RunEvent } from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";
import type { StoredMsg } from "@nats-io/jetstream";
import type { Delivery } from "./durable.ts";
import { type ParkAddress, parseRunSubject } from "./run-subjects.ts";

/** One stored event of a park; `entry` tells an unknown type from a known one. */
export type StoredRunEntry = Readonly<{
  sequence: number;
  storedAtMs: number;
  eventId: string;
  address: ParkAddress;
  entry: RunEvent | { unknownType: string };
}>;

type ReadableMessage = Pick<StoredMsg, "subject" | "seq" | "data" | "time"> & {
  header: { get(name: string): string };
};

const decoder = new TextDecoder();

/** Reads a durable consumer's delivery of a run's event. @throws ServiceFailure `event_unreadable` */
export function readRunDelivery(delivery: Delivery): StoredRunEntry {
  const { subject, sequence: seq, data, storedAtMs } = delivery;
  const header = { get: (name: string) => delivery.header(name) };
  return readStoredRun({ subject, seq, data, time: new Date(storedAtMs), header });
}

/** @throws ServiceFailure `event_unreadable` when a known type's data is not what it promises. */
export function readStoredRun(message: ReadableMessage): StoredRunEntry {
  const parsed = parseRunSubject(message.subject);
  const ceType = message.header.get("ce-type");
  const context = { sequence: message.seq, subject: message.subject };
  if (parsed === undefined) throw new ServiceFailure("event_unreadable", { retry: "never", context });
  try {
    const event = parseRunEvent(ceType, JSON.parse(decoder.decode(message.data)));
    return {
      sequence: message.seq,
      storedAtMs: message.time.getTime(),
      eventId: message.header.get("ce-id"),
      address: parsed.address,
      entry: event ?? { unknownType: ceType || parsed.event },
    };
  } catch (cause) {
    throw new ServiceFailure("event_unreadable", { retry: "never", context, cause });
  }
}
