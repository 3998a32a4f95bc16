import { randomUUID } from "node:crypto";
import { type ConversationEvent, formatInstant } from "@interlude/contract";
import type { ConversationStore, StoredConversationEntry, ThreadAddress } from "@interlude/event-log";
import { type Clock, ServiceFailure } from "@interlude/kernel";
import { replyProgress, replyStep } from "./reply-steps.ts";

const CAUSE = "runs.";

/** What a run came to, by its place in the log: what a reply is stored once for. */
export function causeOf(sequence: number): string {
  return `${CAUSE}${sequence}`;
}

/** What a reply says, and on whose account. */
export type DueReply = Readonly<{
  /** Of `causeOf`. */
  cause: string;
  driver: string;
  run_id: string;
  park_id: string;
  sealed: string;
}>;

export type Posted = Readonly<{ messageIds: readonly string[]; failed?: string }>;

/** Replies as events of their conversations, each decided on the log. Every function may be repeated. */
export interface ReplyRecord {
  /** Has it said, once. */
  due(place: ThreadAddress, reply: DueReply): Promise<void>;
  /** The messages of it that are out. */
  taken(place: ThreadAddress, cause: string): Promise<readonly string[]>;
  /**
   * Before each send of the message behind `taken`: how often it has been begun with this one; `over`: nothing may be
   * sent, as when another worker has come further.
   */
  begin(place: ThreadAddress, cause: string, taken: readonly string[]): Promise<number | "over" | "give_up">;
  /** What was begun last has not left. */
  notOut(place: ThreadAddress, cause: string, taken: readonly string[], reason: string): Promise<void>;
  posted(place: ThreadAddress, cause: string, posted: Posted): Promise<void>;
}

const MAX_ATTEMPTS = 8;
/** A conversation with more events of replies than this forgets those that are out. */
const TIDY_ABOVE = 60;

export function replyRecord(store: ConversationStore, worker: string, clock: Clock): ReplyRecord {
  /** Stores what `decide` makes of the conversation as it stands; `undefined`: there was nothing to store. */
  async function decided(
    place: ThreadAddress,
    decide: (events: readonly ConversationEvent[]) => ConversationEvent | undefined,
  ): Promise<ConversationEvent | undefined> {
    const eventId = randomUUID();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { entries, position } = await store.read(place);
      const own = entries.find((stored) => stored.eventId === eventId);
      if (own !== undefined && "type" in own.entry) return own.entry;
      const event = decide(eventsOf(entries));
      if (event === undefined) return undefined;
      const outcome = await store.append(event, place, position, { eventId, nowMs: clock.nowMs() });
      if (outcome.status === "appended") return event;
    }
    throw new ServiceFailure("append_contended", { retry: "later", context: { attempts: MAX_ATTEMPTS } });
  }

  const head = ({ channel, thread }: ThreadAddress) => ({
    channel,
    thread,
    at: formatInstant(clock.nowMs()),
  });

  return {
    async due(place, reply) {
      await decided(place, (events) =>
        wasDue(events, reply.cause) ? undefined : { type: "reply_due", data: { ...head(place), ...reply } },
      );
    },

    async taken(place, cause) {
      const { entries } = await store.read(place);
      return replyProgress(eventsOf(entries), cause).taken;
    },

    async begin(place, cause, taken) {
      const last: { step: ReturnType<typeof replyStep> } = { step: "over" };
      const event = await decided(place, (events) => {
        const progress = replyProgress(events, cause);
        const [known, own] = [progress.taken.length, taken.length];
        last.step = known > own ? "over" : replyStep(known < own ? { ...progress, begun: 0 } : progress);
        if (last.step !== "begin") return undefined;
        const attempt = known < own ? 1 : progress.begun + 1;
        const message_ids = [...taken];
        const data = { ...head(place), cause, attempt, worker, ...(own === 0 ? {} : { message_ids }) };
        return { type: "posting", data };
      });
      if (event?.type === "posting") return event.data.attempt;
      return last.step === "give_up" ? "give_up" : "over";
    },

    async notOut(place, cause, taken, reason) {
      await decided(place, (events) => {
        const { begun, isOver, taken: known } = replyProgress(events, cause);
        // Another worker has come further: what it has begun is its own to tell of.
        return begun === 0 || isOver || known.length !== taken.length
          ? undefined
          : { type: "not_posted", data: { ...head(place), cause, reason } };
      });
    },

    async posted(place, cause, { messageIds, failed }) {
      await decided(place, (events) => {
        if (replyProgress(events, cause).isOver) return undefined;
        const message_ids = [...messageIds];
        const data = { ...head(place), cause, message_ids, ...(failed === undefined ? {} : { failed }) };
        return { type: "posted", data };
      });
      await tidy(store, place, cause);
    },
  };
}

/**
 * What runs come to is made due in the log's order, and the last of it is never forgotten: behind it, everything before
 * was decided on, whether or not it is still known.
 */
function wasDue(events: readonly ConversationEvent[], cause: string): boolean {
  return events.some(({ type, data }) => type === "reply_due" && sequenceOf(data.cause) >= sequenceOf(cause));
}

function sequenceOf(cause: string): number {
  return Number(cause.slice(CAUSE.length));
}

const OF_REPLIES = ["reply_due", "posting", "not_posted", "posted"] as const;

/** Every reply before this one is out: they go in order. This one stays, so that it is not stored anew. */
async function tidy(store: ConversationStore, place: ThreadAddress, cause: string): Promise<void> {
  const { entries } = await store.read(place);
  // Those of questions are tidied by who stores them.
  const own = entries.filter(
    ({ entry }) => "type" in entry && OF_REPLIES.some((type) => type === entry.type),
  );
  if (own.length <= TIDY_ABOVE) return;
  const due = own.find(
    ({ entry }) => "type" in entry && entry.type === "reply_due" && entry.data.cause === cause,
  );
  const upTo = (due?.sequence ?? 0) - 1;
  for (const type of OF_REPLIES) await store.forget(place, type, upTo);
}

function eventsOf(entries: readonly StoredConversationEntry[]): ConversationEvent[] {
  return entries.flatMap(({ entry }) => ("unknownType" in entry ? [] : [entry]));
}
