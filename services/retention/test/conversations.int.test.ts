import { randomUUID } from "node:crypto";
import type { ConversationEvent, ConversationEventType } from "@interlude/contract";
import {
  type ConversationStore,
  conversationsBefore,
  createConversationStore,
  type Log,
  openLog,
  provisionLog,
} from "@interlude/event-log";
import { type OwnServer, startOwnNats } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { purgeConversations } from "../src/application/purge-conversations.ts";

const AT = "2031-03-01T12:00:00.000Z";
const LATER = "2099-01-01T00:00:00.000Z";
const BEFORE_ALL = "2000-01-01T00:00:00.000Z";

let nats: OwnServer;
let log: Log;
let store: ConversationStore;
beforeAll(async () => {
  nats = await startOwnNats();
  log = await openLog({ url: nats.url, service: "retention" });
  await provisionLog(log, { maxBytes: 268_435_456, replicas: 1 });
  store = createConversationStore(log);
});
afterAll(async () => {
  await log.close();
  await nats.stop();
});

type Step = ConversationEvent extends infer Event
  ? Event extends { type: ConversationEventType; data: infer Data }
    ? { type: Event["type"]; data: Omit<Data, "channel" | "thread" | "at"> }
    : never
  : never;

const place = (thread: string) => ({ channel: "sms", partition: 3, thread });

async function told(thread: string, steps: readonly Step[]): Promise<void> {
  for (const { type, data } of steps) {
    const event = { type, data: { ...data, channel: "sms", thread, at: AT } } as ConversationEvent;
    const { position } = await store.read(place(thread));
    const stored = await store.append(event, place(thread), position, {
      ...{ eventId: randomUUID(), nowMs: Date.now() },
    });
    if (stored.status !== "appended") throw new Error(stored.status);
  }
}

/** All of a time to come, so that everything is past it; or of now. */
function sweep(beforeMs = Date.now() + 3_600_000) {
  return purgeConversations({
    ...{ past: conversationsBefore(log, beforeMs), conversations: store, beforeMs, shouldStop: () => false },
  });
}

const isKept = async (thread: string): Promise<boolean> => (await store.read(place(thread))).position > 0;
const queued = (id: string, deadline_at: string): Step => ({
  type: "queued",
  data: { interaction_id: id, deadline_at },
});
const closed = (id: string): Step => ({ type: "closed", data: { interaction_id: id } });
const due = (cause: string): Step => ({
  type: "reply_due",
  data: { cause, driver: "bot", run_id: "c_1", park_id: "t_1", sealed: "x" },
});

it("a conversation goes when it is idle for long enough and nothing is to happen in it", async () => {
  await told("over", [queued("q1", LATER), closed("q1"), queued("q2", BEFORE_ALL)]);
  await told("waits", [queued("q3", LATER)]);
  await told("due", [due("c1")]);
  await told("told", [due("c2"), { type: "posted", data: { cause: "c2", message_ids: ["1"] } }]);
  expect(await sweep(Date.now() - 3_600_000)).toBe(0);
  expect(await sweep()).toBe(2);
  expect(await Promise.all(["over", "waits", "due", "told"].map(isKept))).toEqual([false, true, true, false]);
  expect(await sweep()).toBe(0);
});

it("what comes while it is forgotten stays", async () => {
  await told("returns", [queued("q4", LATER), closed("q4")]);
  const racing: ConversationStore = {
    ...store,
    async read(address) {
      const history = await store.read(address);
      if (address.thread === "returns") await told("returns", [queued("q5", LATER)]);
      return history;
    },
  };
  await purgeConversations({
    ...{ past: conversationsBefore(log, Date.now() + 3_600_000), conversations: racing },
    ...{ beforeMs: Date.now() + 3_600_000, shouldStop: () => false },
  });
  const { entries } = await store.read(place("returns"));
  expect(entries).toEqual([
    expect.objectContaining({ entry: expect.objectContaining({ type: "queued" }) as unknown }),
  ]);
});
