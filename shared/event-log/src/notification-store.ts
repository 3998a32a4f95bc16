import { NOTIFICATION_SENT, type NotificationSentData, parseNotificationSent } from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";
import type { StoredMsg } from "@nats-io/jetstream";
import { appendMessage } from "./append.ts";
import type { Log } from "./connect.ts";
import { cloudEventHeaders, newEventId, type TraceContext } from "./envelope.ts";
import { lastMessage } from "./media-objects.ts";
import { addressOf } from "./subjects.ts";
import { STREAMS } from "./streams.ts";

export interface NotificationStore {
  /** What was sent under this id, as the log's leader has it. */
  find(id: string): Promise<NotificationSentData | undefined>;
  /** Stores it unless its id is taken; returns what stands under the id then. @throws ServiceFailure */
  add(sent: NotificationSentData, trace?: TraceContext): Promise<NotificationSentData>;
}

const MAX_ATTEMPTS = 4;
const decoder = new TextDecoder();

export function createNotificationStore(log: Log): NotificationStore {
  async function find(id: string): Promise<NotificationSentData | undefined> {
    const message = await lastMessage(log, STREAMS.notifications, filterOf(id));
    return message === undefined ? undefined : readNotification(message);
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
  };
}

/** @throws ServiceFailure `event_unreadable` when it is not what its type promises. */
export function readNotification(
  message: Pick<StoredMsg, "seq" | "data" | "header">,
): NotificationSentData | undefined {
  const { seq: sequence } = message;
  try {
    return parseNotificationSent(message.header.get("ce-type"), JSON.parse(decoder.decode(message.data)));
  } catch (cause) {
    throw new ServiceFailure("event_unreadable", { retry: "never", context: { sequence }, cause });
  }
}

function subjectOf(sent: NotificationSentData): string {
  const { channel, partition, id } = addressOf(sent.notification_id, sent.channel, sent.recipient);
  return `notifications.sent.${channel}.${partition}.${id}`;
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
