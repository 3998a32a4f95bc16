import { formatInstant, type InteractionEvent, parseInteractionEvent } from "@interlude/contract";
import type { HistoryEntry } from "@interlude/domain";
import { ServiceFailure } from "@interlude/kernel";
import { JetStreamApiError, type JsMsg } from "@nats-io/jetstream";
import { appendMessage, type AppendOutcome, requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import { directGet, type StoredMessage } from "./direct-get.ts";
import type { Delivery } from "./durable.ts";
import { eventHeaders, type TraceContext } from "./envelope.ts";
import {
  type Address,
  addressOf,
  historyFilter,
  interactionSubject,
  isInteractionId,
  parseInteractionSubject,
} from "./subjects.ts";
import { reachLeader } from "./reach-leader.ts";
import { STREAMS } from "./streams.ts";

/** One stored event of an interaction; `entry` tells an unknown type from a known one. */
export type StoredEntry = {
  sequence: number;
  storedAtMs: number;
  eventId: string;
  address: Address;
  entry: HistoryEntry;
};

/** The last event of each type in log order, and the last sequence over the whole history (0: none). */
export type History = { entries: readonly StoredEntry[]; position: number };

/** What deciders need of the log. A text that is no id has no history. */
export interface InteractionStore {
  /** May be a moment behind: good to append on, since the expectation proves it, not to refuse by. */
  read(id: string): Promise<History>;
  /** Includes every write acknowledged before the call, on any replica. */
  readFresh(id: string): Promise<History>;
  /** Every event, oldest first; includes every write acknowledged before the call, on any replica. */
  readAll(id: string): Promise<readonly StoredEntry[]>;
  /** Stores one event if the history's last sequence is still `position`. @throws ServiceFailure */
  append(event: InteractionEvent, address: Address, position: number, write: Write): Promise<AppendOutcome>;
}

export type Write = { eventId: string; nowMs: number; trace?: TraceContext };

/** The address of a question's events, decided by what was asked. */
export function addressOfAsked(asked: {
  interaction_id: string;
  channel?: string | undefined;
  recipient?: string | undefined;
  address?: string | undefined;
}): Address {
  return addressOf(asked.interaction_id, asked.channel, asked.address ?? asked.recipient);
}

const decoder = new TextDecoder();

type ReadableMessage = Pick<StoredMessage, "subject" | "seq" | "data" | "time"> & {
  header: { get(name: string): string };
};

/** @throws ServiceFailure `event_unreadable` when a known type's data is not what it promises. */
export function readStored(message: ReadableMessage): StoredEntry {
  const parsed = parseInteractionSubject(message.subject);
  const ceType = message.header.get("ce-type");
  const context = { sequence: message.seq, subject: message.subject };
  if (parsed === undefined) throw new ServiceFailure("event_unreadable", { retry: "never", context });
  try {
    const event = parseInteractionEvent(ceType, JSON.parse(decoder.decode(message.data)));
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

/** Reads a durable consumer's delivery of an interaction event. @throws ServiceFailure `event_unreadable` */
export function readDelivery(log: Log, delivery: Delivery): StoredEntry {
  const { subject, sequence: seq, data, storedAtMs } = delivery;
  const header = { get: (name: string) => delivery.header(name) };
  return readOnce(log, { subject, seq, data, time: new Date(storedAtMs), header });
}

/** Reads what a consumer was sent. @throws ServiceFailure `event_unreadable` */
export function readMessage(log: Log, message: JsMsg): StoredEntry {
  const { subject, seq, data, time } = message;
  return readOnce(log, {
    subject,
    seq,
    data,
    time,
    header: { get: (name) => message.headers?.get(name) ?? "" },
  });
}

/** Several readers of a process are sent the same event: it is parsed by the first. */
function readOnce(log: Log, message: ReadableMessage): StoredEntry {
  const known = log.recent.find(message.seq, message.subject, message.time.getTime());
  if (known !== undefined) return known;
  const stored = readStored(message);
  log.recent.add(message.subject, stored);
  return stored;
}

/** A log may be given replicas while we run. */
const REPLICAS_KNOWN_FOR_MS = 10_000;
const NO_HISTORY: History = { entries: [], position: 0 };

export function createInteractionStore(log: Log): InteractionStore {
  let replicas: { count: number; untilMs: number } | undefined;

  async function read(id: string): Promise<History> {
    requireUp(log);
    if (!isInteractionId(id)) return NO_HISTORY;
    const last = await directGet(log, STREAMS.interactions, { multi_last: [historyFilter(id)] });
    const entries = last.map(readStored);
    return { entries, position: entries.at(-1)?.sequence ?? 0 };
  }

  async function lastSequence(id: string): Promise<number> {
    try {
      const last = await log.manager.streams.getMessage(STREAMS.interactions, {
        last_by_subj: historyFilter(id),
      });
      return last?.seq ?? 0;
    } catch (cause) {
      if (cause instanceof JetStreamApiError && cause.code === 10037) return 0;
      throw unavailable(cause);
    }
  }

  async function readEvery(id: string): Promise<StoredEntry[]> {
    const query = { seq: 1, batch: 1_000, next_by_subj: historyFilter(id) };
    return (await directGet(log, STREAMS.interactions, query)).map(readStored);
  }

  async function isReplicated(): Promise<boolean> {
    if (replicas === undefined || performance.now() > replicas.untilMs) {
      try {
        const { config } = await log.manager.streams.info(STREAMS.interactions);
        replicas = { count: config.num_replicas, untilMs: performance.now() + REPLICAS_KNOWN_FOR_MS };
      } catch (cause) {
        throw unavailable(cause);
      }
    }
    return replicas.count > 1;
  }

  /** Any replica may answer a direct get: the leader says how far the answer must reach. */
  async function upToLeader<T>(id: string, reader: () => Promise<T>, reach: (read: T) => number): Promise<T> {
    requireUp(log);
    // A single replica is its own leader: its direct answers are fresh.
    if (!(await isReplicated())) return reader();
    const needed = await lastSequence(id);
    return reachLeader(needed, reader, reach);
  }

  return {
    read,

    async readFresh(id) {
      if (!isInteractionId(id)) return NO_HISTORY;
      return upToLeader(
        id,
        () => read(id),
        (history) => history.position,
      );
    },

    async readAll(id) {
      if (!isInteractionId(id)) return [];
      return upToLeader(
        id,
        () => readEvery(id),
        (entries) => entries.at(-1)?.sequence ?? 0,
      );
    },

    append(event, address, position, write) {
      const { subject, filter } = interactionSubject(event.type, address);
      return appendMessage(log, {
        subject,
        filter,
        position,
        payload: JSON.stringify(event.data),
        headers: eventHeaders(event, write.eventId, log.service, formatInstant(write.nowMs), write.trace),
      });
    },
  };
}

function unavailable(cause: unknown): ServiceFailure {
  if (cause instanceof ServiceFailure) return cause;
  return new ServiceFailure("log_unavailable", { retry: "later", cause });
}
