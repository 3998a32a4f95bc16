import type { AskedData } from "@interlude/contract";
import { addressOfAsked, type Log } from "@interlude/event-log";
import { PARTITIONS } from "@interlude/kernel";
import { pendingQuestion, seedQuestions } from "./seed.ts";
import type { Arrival } from "./slow-provider.ts";

/** Chats of one channel, as many in each partition, in an order that goes round the partitions. */
export function evenChats(channel: string, eachPartition: number, prefix = ""): string[] {
  const found = Array.from({ length: PARTITIONS }, (): string[] => []);
  for (let id = 10_000; found.some((chats) => chats.length < eachPartition); id++) {
    const recipient = `${prefix}${id}`;
    const { partition } = addressOfAsked({ interaction_id: "any", channel, recipient });
    const chats = found[partition];
    if (chats !== undefined && chats.length < eachPartition) chats.push(recipient);
  }
  return Array.from({ length: eachPartition }, (_, place) => found.map((chats) => chats[place] ?? "")).flat();
}

export type Asking = {
  /** Puts this many more questions into the log, turn by turn to each chat. */
  ask(log: Log, count: number): Promise<void>;
  readonly asked: number;
  /** What is wrong with what arrived: a question that came twice, or before one that was asked before it. */
  faults(arrivals: readonly Arrival[]): string[];
};

/** Questions that carry their number within their chat. */
export function numberedQuestions(channel: string, chats: readonly string[]): Asking {
  let asked = 0;
  const questionAt = (log: Log): AskedData => {
    const turn = Math.floor(asked / chats.length) + 1;
    const recipient = chats[asked % chats.length] ?? "";
    asked++;
    return { ...pendingQuestion(log.clock.nowMs()), channel, recipient, question: `Number ${turn}?` };
  };
  return {
    get asked() {
      return asked;
    },
    async ask(log, count) {
      // One of each chat at a time: what is stored together has no order.
      for (let left = count; left > 0; left -= chats.length) {
        await seedQuestions(log, Math.min(left, chats.length), () => questionAt(log));
      }
    },
    faults(arrivals) {
      const faults: string[] = [];
      const last = new Map<string, number>();
      for (const { chat, text } of arrivals) {
        const number = Number(/Number (\d+)/.exec(text)?.[1] ?? NaN);
        const expected = (last.get(chat) ?? 0) + 1;
        if (number !== expected) faults.push(`chat ${chat}: ${number} came where ${expected} was due`);
        last.set(chat, Math.max(number, last.get(chat) ?? 0));
      }
      return faults;
    },
  };
}
