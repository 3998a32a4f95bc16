import { type AskedData, formatInstant, type InteractionEvent } from "@interlude/contract";
import type { History, InteractionStore } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { manualClock } from "@interlude/testing";
import { describe, expect, it } from "vitest";
import { expireQuestion } from "./expire-question.ts";

const DUE_MS = Date.UTC(2026, 5, 1);
const ID = "question-1";

const asked: AskedData = {
  interaction_id: ID,
  asker: "ann",
  group_id: "g",
  question: "Still there?",
  answer_format: "confirm",
  format_payload: {},
  mode: "sync",
  created_at: formatInstant(DUE_MS - 1_000),
  timeout_at: formatInstant(DUE_MS),
  sensitive: false,
  fingerprint: "f",
};

function historyOf(...entries: (InteractionEvent | { unknownType: string })[]): History {
  const address = { channel: "inbox", partition: 0, id: ID };
  const stored = entries.map((entry, index) => {
    const sequence = index + 1;
    return { sequence, storedAtMs: DUE_MS, eventId: `e-${sequence}`, address, entry };
  });
  return { entries: stored, position: stored.length };
}

const NOTHING = historyOf();
const OPEN = historyOf({ type: "asked", data: asked });

/** A log whose nearest replica may lag behind its leader, and what was appended to it. */
function replicated(replica: History, leader: () => Promise<History>) {
  const appended: string[] = [];
  const store: InteractionStore = {
    read: () => Promise.resolve(replica),
    readFresh: leader,
    readAll: () => Promise.resolve([]),
    append: (event) => {
      appended.push(event.type);
      return Promise.resolve({ status: "appended", sequence: 2 });
    },
  };
  return { store, appended };
}

const expireAt = (store: InteractionStore, nowMs: number) => expireQuestion(store, ID, manualClock(nowMs));

describe("a deadline", () => {
  it("ends its question, and tells how late", async () => {
    const { store, appended } = replicated(OPEN, () => Promise.resolve(OPEN));
    expect(await expireAt(store, DUE_MS + 7)).toEqual({ kind: "expired", lateMs: 7 });
    expect(appended).toEqual(["expired"]);
  });

  it("of a question that a replica has not heard of yet ends it all the same", async () => {
    const { store, appended } = replicated(NOTHING, () => Promise.resolve(OPEN));
    expect(await expireAt(store, DUE_MS)).toMatchObject({ kind: "expired" });
    expect(appended).toEqual(["expired"]);
  });

  it("of a question that the leader does not have is nothing to act on", async () => {
    const { store, appended } = replicated(NOTHING, () => Promise.resolve(NOTHING));
    expect(await expireAt(store, DUE_MS)).toEqual({ kind: "gone" });
    expect(appended).toEqual([]);
  });

  it("is tried again later while the leader cannot be asked", async () => {
    const away = new ServiceFailure("log_unavailable", { retry: "later" });
    const { store } = replicated(NOTHING, () => Promise.reject(away));
    await expect(expireAt(store, DUE_MS)).rejects.toBe(away);
  });

  it("that comes too early tells when it is due", async () => {
    const { store } = replicated(OPEN, () => Promise.resolve(OPEN));
    expect(await expireAt(store, DUE_MS - 1)).toEqual({ kind: "not_due", dueAtMs: DUE_MS });
  });

  it("of a question with an event this process does not know is left to a newer one", async () => {
    const newer = historyOf({ type: "asked", data: asked }, { unknownType: "reopened.v1" });
    const { store } = replicated(newer, () => Promise.resolve(newer));
    await expect(expireAt(store, DUE_MS)).rejects.toMatchObject({
      code: "event_unreadable",
      retry: "later",
    });
  });
});
