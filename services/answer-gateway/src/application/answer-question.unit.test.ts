import type { AskedData, InteractionEvent } from "@interlude/contract";
import type { InteractionStore, StoredEntry } from "@interlude/event-log";
import { sha256Base64Url } from "@interlude/kernel";
import { type DataKey, newDataKey, openAnswer } from "@interlude/secrets";
import { manualClock } from "@interlude/testing";
import { describe, expect, it } from "vitest";
import { answerQuestion, type AnswerRequest } from "./answer-question.ts";

const NOW_MS = Date.UTC(2026, 5, 1);
const ID = "question-1";
const PIN = "4711";
const BODY = JSON.stringify({ answer: PIN });
const REQUEST = { subject: "bob", key: sha256Base64Url("once"), fingerprint: sha256Base64Url(BODY) };
const bob = { kind: "subject", subject: "bob", roles: ["answerer"], groups: [] } as const;

/** One question in a log in memory, with its key, which can be deleted. */
function situation(sensitive: boolean) {
  const asked: AskedData = {
    interaction_id: ID,
    asker: "ann",
    group_id: "g",
    question: "PIN?",
    answer_format: "text",
    format_payload: {},
    mode: "sync",
    created_at: new Date(NOW_MS).toISOString(),
    timeout_at: new Date(NOW_MS + 60_000).toISOString(),
    sensitive,
    fingerprint: "f",
  };
  const entries: StoredEntry[] = [];
  const put = (entry: InteractionEvent, eventId: string): number => {
    const sequence = entries.length + 1;
    const address = { channel: "inbox", partition: 0, id: ID };
    entries.push({ sequence, storedAtMs: NOW_MS, eventId, address, entry });
    return sequence;
  };
  put({ type: "asked", data: asked }, "e-1");
  const read = () => Promise.resolve({ entries: [...entries], position: entries.length });
  const store: InteractionStore = {
    read,
    readFresh: read,
    readAll: () => Promise.resolve(entries),
    append: (event, _address, _position, write) =>
      Promise.resolve({ status: "appended", sequence: put(event, write.eventId) }),
  };
  let key: DataKey | undefined = newDataKey();
  let keyReads = 0;
  const keys = {
    make: () => Promise.resolve(false),
    read: () => {
      keyReads += 1;
      return Promise.resolve(key);
    },
    shred: () => Promise.resolve(),
    ids: () => Promise.resolve([]),
    madeAtMs: () => Promise.resolve(undefined),
  };
  const dataKey = key;
  return {
    dataKey,
    keyReads: () => keyReads,
    stored: () => JSON.stringify(entries.slice(1)),
    answered: () => {
      const entry = entries[1]?.entry;
      return entry !== undefined && "type" in entry && entry.type === "answered" ? entry.data : undefined;
    },
    deleteKey: () => {
      key = undefined;
    },
    answer: (changes: Partial<AnswerRequest> = {}) =>
      answerQuestion(
        { store, keys, clock: manualClock(NOW_MS) },
        { id: ID, actor: bob, via: "door", answer: PIN, request: REQUEST, ...changes },
      ),
  };
}

describe("a sensitive answer given with an idempotency key", () => {
  it("leaves nothing in the log that a guess of it could be tried against without its key", async () => {
    const { answer, stored, answered, dataKey } = situation(true);
    expect(await answer()).toMatchObject({ ok: true });
    for (const told of [PIN, REQUEST.fingerprint, REQUEST.key]) expect(stored()).not.toContain(told);
    const { sealed = "", request } = answered() ?? {};
    expect(openAnswer(dataKey, sealed, ID)).toBe(BODY);
    expect(request?.subject).toBe("bob");
  });

  it("is stored under one read of its key", async () => {
    const { answer, keyReads } = situation(true);
    await answer();
    expect(keyReads()).toBe(1);
  });

  it("is the same answer when repeated, and another content or key is a second one", async () => {
    const { answer } = situation(true);
    await answer();
    expect(await answer()).toMatchObject({ ok: true, sequence: 2 });
    for (const other of [
      { ...REQUEST, fingerprint: sha256Base64Url("other") },
      { ...REQUEST, key: sha256Base64Url("twice") },
    ]) {
      expect(await answer({ request: other })).toMatchObject({ refusal: { code: "already_answered" } });
    }
  });

  it("can no longer be told from a second one once its key is gone, and is refused as one", async () => {
    const { answer, deleteKey } = situation(true);
    await answer();
    deleteKey();
    expect(await answer()).toMatchObject({
      ok: false,
      refusal: { code: "already_answered", answeredBy: "bob" },
    });
  });

  it("is not taken at all when its question's key is missing", async () => {
    const { answer, deleteKey, stored } = situation(true);
    deleteKey();
    await expect(answer()).rejects.toMatchObject({ code: "secret_missing" });
    expect(stored()).toBe("[]");
  });
});

describe("an answer that is not sensitive", () => {
  it("needs no key, and its repeat is the same answer", async () => {
    const { answer, keyReads } = situation(false);
    await answer();
    expect(await answer()).toMatchObject({ ok: true, sequence: 2 });
    expect(keyReads()).toBe(0);
  });
});
