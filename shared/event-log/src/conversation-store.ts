import {
  type ConversationEvent,
  type ConversationEventType,
  conversationCeType,
  formatInstant,
  parseConversationEvent,
} from "@interlude/contract";
import { PARTITIONS, ServiceFailure } from "@interlude/kernel";
import { appendMessage, type AppendOutcome } from "./append.ts";
import type { Log } from "./connect.ts";
import { directGet, type StoredMessage } from "./direct-get.ts";
import type { Delivery } from "./durable.ts";
import { systemHeaders } from "./envelope.ts";
import type { Write } from "./interaction-store.ts";
import { lastMessage, purgeSubject } from "./media-objects.ts";
import { reachLeader } from "./reach-leader.ts";
import { STREAMS } from "./streams.ts";

/** Where a conversation lives: `conversations.<event>.<channel>.<partition>.<thread>`. */
export type ThreadAddress = Readonly<{ channel: string; partition: number; thread: string }>;

export type StoredConversationEntry = Readonly<{
  sequence: number;
  storedAtMs: number;
  eventId: string;
  address: ThreadAddress;
  entry: ConversationEvent | { unknownType: string };
}>;

/** Every event of a conversation in log order, and the last sequence (0: none). */
export type ThreadHistory = Readonly<{ entries: readonly StoredConversationEntry[]; position: number }>;

export interface ConversationStore {
  /** Includes every write acknowledged before the call, on any replica. */
  read(address: ThreadAddress): Promise<ThreadHistory>;
  /** Stores one event if the conversation's last sequence is still `position`. @throws ServiceFailure */
  append(
    event: ConversationEvent,
    address: ThreadAddress,
    position: number,
    write: Write,
  ): Promise<AppendOutcome>;
  /** Forgets events of one type that have no bearing any more: all of them up to `upTo`. */
  forget(address: ThreadAddress, type: ConversationEventType, upTo: number): Promise<void>;
}

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;
const BATCH = 1_000;
const decoder = new TextDecoder();

export function createConversationStore(log: Log): ConversationStore {
  return {
    async read(address) {
      const filter = threadFilter(address);
      // The leader says how far the answer of whichever replica must reach.
      const last = await lastMessage(log, STREAMS.conversations, filter);
      if (last === undefined) return { entries: [], position: 0 };
      const positionOf = (messages: readonly StoredMessage[]) => messages.at(-1)?.seq ?? 0;
      const messages = await reachLeader(last.seq, () => readEvery(log, filter), positionOf);
      return { entries: messages.map(readStoredConversation), position: positionOf(messages) };
    },

    append(event, address, position, write) {
      return appendMessage(log, {
        subject: conversationSubject(event.type, address),
        filter: threadFilter(address),
        position,
        payload: JSON.stringify(event.data),
        headers: systemHeaders(log, {
          ...{ id: write.eventId, type: conversationCeType(event.type), subject: address.thread },
          ...{ time: formatInstant(write.nowMs), trace: write.trace },
        }),
      });
    },

    async forget(address, type, upTo) {
      if (upTo <= 0) return;
      await purgeSubject(log, STREAMS.conversations, conversationSubject(type, address), upTo);
    },
  };
}

/** Events of any conversation that were stored before `beforeMs`, oldest first. */
export async function* conversationsBefore(
  log: Log,
  beforeMs: number,
): AsyncIterable<StoredConversationEntry> {
  for (let from = 1; ;) {
    const query = { seq: from, batch: BATCH, next_by_subj: "conversations.>" };
    const messages = await directGet(log, STREAMS.conversations, query);
    for (const message of messages) {
      if (message.time.getTime() >= beforeMs) return;
      from = message.seq + 1;
      yield readStoredConversation(message);
    }
    if (messages.length < BATCH) return;
  }
}

async function readEvery(log: Log, filter: string): Promise<StoredMessage[]> {
  const every: StoredMessage[] = [];
  for (let from = 1; ;) {
    const query = { seq: from, batch: BATCH, next_by_subj: filter };
    const messages = await directGet(log, STREAMS.conversations, query);
    every.push(...messages);
    const last = messages.at(-1);
    if (last === undefined) return every;
    from = last.seq + 1;
  }
}

function conversationSubject(event: string, address: ThreadAddress): string {
  requireAddress(address);
  return `conversations.${event}.${address.channel}.${address.partition}.${address.thread}`;
}

function threadFilter(address: ThreadAddress): string {
  return conversationSubject("*", address);
}

function requireAddress({ channel, partition, thread }: ThreadAddress): void {
  const isPartition = Number.isInteger(partition) && partition >= 0 && partition < PARTITIONS;
  if (isPartition && TOKEN.test(channel) && TOKEN.test(thread)) return;
  throw new ServiceFailure("invariant_broken", { retry: "never", context: { channel, thread } });
}

/** Reads a durable consumer's delivery of a conversation's event. @throws ServiceFailure `event_unreadable` */
export function readConversationDelivery(delivery: Delivery): StoredConversationEntry {
  const { subject, sequence: seq, data, storedAtMs } = delivery;
  const header = { get: (name: string) => delivery.header(name) };
  return readStoredConversation({ subject, seq, data, time: new Date(storedAtMs), header });
}

type Readable = Pick<StoredMessage, "subject" | "seq" | "data" | "time"> & {
  header: { get(name: string): string };
};

function readStoredConversation(message: Readable): StoredConversationEntry {
  const { subject, seq: sequence, data, time, header } = message;
  const [, event = "", channel = "", partition = "", thread = ""] = subject.split(".");
  const ceType = header.get("ce-type");
  try {
    const parsed = parseConversationEvent(ceType, JSON.parse(decoder.decode(data)));
    return {
      sequence,
      storedAtMs: time.getTime(),
      eventId: header.get("ce-id"),
      address: { channel, partition: Number(partition), thread },
      entry: parsed ?? { unknownType: ceType || event },
    };
  } catch (cause) {
    throw new ServiceFailure("event_unreadable", { retry: "never", context: { subject }, cause });
  }
}
