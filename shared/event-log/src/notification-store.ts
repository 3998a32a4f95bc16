import {
  NOTIFICATION_SENT,
  NotificationDeliveredData,
  NotificationFailedData,
  notificationCeType,
  type NotificationOutcome,
  type NotificationSentData,
  parseNotificationSent,
} from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";
import type { StoredMsg } from "@nats-io/jetstream";
import { appendMessage } from "./append.ts";
import type { Log } from "./connect.ts";
import type { Delivery } from "./durable.ts";
import { cloudEventHeaders, newEventId, systemHeaders, type TraceContext } from "./envelope.ts";
import { lastMessage } from "./media-objects.ts";
import { type Address, addressOf } from "./subjects.ts";
import { STREAMS } from "./streams.ts";

/** Where the provider took it, or why nothing more is tried. */
export type NotificationFate = { kind: "delivered"; address: string } | { kind: "failed"; reason: string };

export interface NotificationStore {
  /** What was sent under this id, as the log's leader has it. */
  find(id: string): Promise<NotificationSentData | undefined>;
  /** Stores it unless its id is taken; returns what stands under the id then. @throws ServiceFailure */
  add(sent: NotificationSentData, trace?: TraceContext): Promise<NotificationSentData>;
  /** What became of a channel's notification; `undefined`: it is still on its way. */
  fateOf(id: string): Promise<NotificationFate | undefined>;
  /** Whether it is known what became of the channel's notification that was stored at `sequence`. */
  isSettled(address: Address, sequence: number): Promise<boolean>;
  /** Stores what became of it, once. @throws ServiceFailure */
  settle(outcome: NotificationOutcome, address: Address, sequence: number): Promise<void>;
}

const MAX_ATTEMPTS = 4;
const decoder = new TextDecoder();

export function createNotificationStore(log: Log): NotificationStore {
  async function find(id: string): Promise<NotificationSentData | undefined> {
    for (const event of ["sent", "requested"] as const) {
      const message = await lastMessage(log, STREAMS.notifications, `notifications.${event}.*.*.${id}`);
      if (message !== undefined) return readNotification(message);
    }
    return undefined;
  }

  return {
    find,
    async add(sent, trace) {
      const id = sent.notification_id;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const outcome = await appendMessage(log, {
          subject: subjectOf(sent),
          filter: filterOf(id),
          position: 0,
          payload: JSON.stringify(sent),
          headers: headersOf(log, sent, trace),
        });
        if (outcome.status === "appended") return sent;
        // Taken, or no acknowledgement came: what stands there now may be this very one.
        const found = await find(id);
        if (found !== undefined) return found;
      }
      throw new ServiceFailure("append_contended", {
        retry: "later",
        context: { id, attempts: MAX_ATTEMPTS },
      });
    },
    async fateOf(id) {
      const last = await lastMessage(log, STREAMS.notifications, filterOf(id));
      const [, event] = last?.subject.split(".") ?? [];
      if (last === undefined || event === "sent" || event === "requested") return undefined;
      return event === "delivered"
        ? { kind: "delivered", address: readOutcome(NotificationDeliveredData, last).address }
        : { kind: "failed", reason: readOutcome(NotificationFailedData, last).reason };
    },
    async isSettled(address, sequence) {
      const last = await lastMessage(log, STREAMS.notifications, filterOf(address.id));
      return last !== undefined && last.seq !== sequence;
    },
    async settle({ type, data }, { channel, partition, id }, sequence) {
      const outcome = await appendMessage(log, {
        subject: `notifications.${type}.${channel}.${partition}.${id}`,
        filter: filterOf(id),
        position: sequence,
        payload: JSON.stringify(data),
        headers: systemHeaders(log, {
          ...{ id: newEventId(), type: notificationCeType(type), subject: id, trace: undefined },
          time: data.at,
        }),
      });
      if (outcome.status === "unknown")
        throw new ServiceFailure("log_unavailable", { retry: "later", context: { id } });
    },
  };
}

/** Reads a durable consumer's delivery of a channel's notification. @throws ServiceFailure `event_unreadable` */
export function readNotificationDelivery(
  delivery: Delivery,
): { sent: NotificationSentData; address: Address } | undefined {
  const { subject, sequence: seq, data } = delivery;
  const [, , channel = "", partition = "", id = ""] = subject.split(".");
  const sent = readStored({ seq, data, type: delivery.header("ce-type") });
  return sent === undefined ? undefined : { sent, address: { channel, partition: Number(partition), id } };
}

/** @throws ServiceFailure `event_unreadable` when it is not what its type promises. */
export function readNotification(
  message: Pick<StoredMsg, "seq" | "data" | "header">,
): NotificationSentData | undefined {
  return readStored({ seq: message.seq, data: message.data, type: message.header.get("ce-type") });
}

function readStored(message: {
  seq: number;
  data: Uint8Array;
  type: string;
}): NotificationSentData | undefined {
  const { seq: sequence } = message;
  try {
    return parseNotificationSent(message.type, JSON.parse(decoder.decode(message.data)));
  } catch (cause) {
    throw new ServiceFailure("event_unreadable", { retry: "never", context: { sequence }, cause });
  }
}

function readOutcome<T>(schema: { parse(data: unknown): T }, { seq: sequence, data }: StoredMsg): T {
  try {
    return schema.parse(JSON.parse(decoder.decode(data)));
  } catch (cause) {
    throw new ServiceFailure("event_unreadable", { retry: "never", context: { sequence }, cause });
  }
}

function subjectOf(sent: NotificationSentData): string {
  const { address = sent.recipient } = sent;
  const { channel, partition, id } = addressOf(sent.notification_id, sent.channel, address);
  // The inbox's are there once they are stored; a channel's has still to be brought to somebody.
  const event = sent.channel === undefined ? "sent" : "requested";
  return `notifications.${event}.${channel}.${partition}.${id}`;
}

function filterOf(id: string): string {
  return `notifications.*.*.*.${id}`;
}

function headersOf(log: Log, sent: NotificationSentData, trace: TraceContext | undefined) {
  return cloudEventHeaders({
    id: newEventId(),
    type: NOTIFICATION_SENT,
    service: log.service,
    time: sent.created_at,
    subject: sent.notification_id,
    asker: sent.sender,
    audience: sent.audience,
    trace,
  });
}
