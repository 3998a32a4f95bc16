import { type AuditEvent, auditCeType, formatInstant, parseAuditEvent } from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";
import { headers } from "@nats-io/nats-core";
import { appendMessage } from "./append.ts";
import type { Log } from "./connect.ts";
import { directGet, type StoredMessage } from "./direct-get.ts";
import { encodeHeaderValue, newEventId } from "./envelope.ts";
import { lastMessage } from "./media-objects.ts";
import { STREAMS } from "./streams.ts";

/** A stored audit event. An unreadable one counts as one of an unknown type. */
export type AuditEntry = {
  sequence: number;
  entry: AuditEvent | { unknownType: string };
  /** Who copies the stream that it removes from has read all of that once it has read up to here. */
  after: number;
};

/** What is removed is told here first, so that who has copied it removes the same. */
export interface PurgeLog {
  /** Stores it, unless it stands there already: a purge that was cut off is told of once. @throws ServiceFailure */
  tell(event: AuditEvent): Promise<void>;
}

const decoder = new TextDecoder();
const MAX_ATTEMPTS = 4;
/** What was read before it was removed has been written by then. */
const SETTLED_AFTER_MS = 60_000;

export function createPurgeLog(log: Log): PurgeLog {
  return {
    async tell(event) {
      const subject = subjectOf(event);
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const last = await lastMessage(log, STREAMS.audit, subject);
        if (last !== undefined && isSame(readEntry(last), event)) return;
        const outcome = await appendMessage(log, {
          subject,
          filter: subject,
          position: last?.seq ?? 0,
          payload: JSON.stringify(event.data),
          headers: headersOf(log, event),
        });
        if (outcome.status === "appended") return;
      }
      throw new ServiceFailure("append_contended", { retry: "later", context: { subject } });
    },
  };
}

/** At most `batch` audit events from `fromSequence` on, oldest first. @throws ServiceFailure `log_unavailable` */
export async function readAudit(
  log: Log,
  fromSequence: number,
  batch: number,
  onUnreadable: (error: unknown) => void,
): Promise<AuditEntry[]> {
  const messages = await directGet(log, STREAMS.audit, { seq: fromSequence, batch });
  if (messages.length === 0) return [];
  const [interactions, runs] = await Promise.all([
    lastMessage(log, STREAMS.interactions, ">"),
    lastMessage(log, STREAMS.runs, ">"),
  ]);
  const ends = { interaction_purged: interactions?.seq ?? 0, park_purged: runs?.seq ?? 0 };
  return messages.map((message) => {
    try {
      const read = readEntry(message);
      return { ...read, after: afterOf(log, read.entry, message.time.getTime(), ends) };
    } catch (error) {
      onUnreadable(error);
      return { sequence: message.seq, entry: { unknownType: message.subject }, after: 0 };
    }
  });
}

/** What is removed may have been the end of its stream, and no reader comes to where it was. */
function afterOf(
  log: Log,
  entry: AuditEntry["entry"],
  storedAtMs: number,
  ends: Record<AuditEvent["type"], number>,
): number {
  if ("unknownType" in entry) return 0;
  const isSettled = storedAtMs + SETTLED_AFTER_MS < log.clock.nowMs();
  return isSettled ? Math.min(entry.data.sequence, ends[entry.type]) : entry.data.sequence;
}

function subjectOf({ type, data }: AuditEvent): string {
  if ("interaction_id" in data) return `audit.${type}.${data.interaction_id}`;
  return `audit.${type}.${data.driver}.${data.run_token}.${data.park_token}`;
}

function isSame({ entry }: Pick<AuditEntry, "entry">, event: AuditEvent): boolean {
  return "type" in entry && entry.type === event.type && entry.data.sequence === event.data.sequence;
}

function readEntry({
  seq,
  data,
  header,
}: Pick<StoredMessage, "seq" | "data"> & { header: { get(name: string): string } }): Omit<
  AuditEntry,
  "after"
> {
  const ceType = header.get("ce-type");
  try {
    const event = parseAuditEvent(ceType, JSON.parse(decoder.decode(data)));
    return { sequence: seq, entry: event ?? { unknownType: ceType } };
  } catch (cause) {
    throw new ServiceFailure("event_unreadable", { retry: "never", context: { sequence: seq }, cause });
  }
}

function headersOf(log: Log, event: AuditEvent) {
  const { data } = event;
  const result = headers();
  result.set("ce-specversion", "1.0");
  result.set("ce-id", newEventId());
  result.set("ce-type", auditCeType(event.type));
  result.set("ce-source", `/interlude/${log.service}`);
  result.set("ce-time", formatInstant(log.clock.nowMs()));
  result.set(
    "ce-subject",
    encodeHeaderValue("interaction_id" in data ? data.interaction_id : data.run_token),
  );
  result.set("ce-datacontenttype", "application/json");
  return result;
}
