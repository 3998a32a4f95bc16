import {
  addressOfAsked,
  createInteractionStore,
  handleCommand,
  type InteractionStore,
  type Log,
  openBucket,
  openLog,
  provisionLog,
} from "@interlude/event-log";
import type { AskedData } from "@interlude/contract";
import { uuidV7 } from "@interlude/kernel";
import { generateKeyring, parseKeyring } from "@interlude/secrets";
import { type AnswerKeys, createAnswerKeys } from "@interlude/service-kit";
import { type OwnServer, startOwnNats } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweepAnswerKeys } from "../src/application/sweep-answer-keys.ts";

const HOUR_MS = 3_600_000;

let server: OwnServer;
let log: Log;
let store: InteractionStore;
let keys: AnswerKeys;

beforeAll(async () => {
  server = await startOwnNats();
  log = await openLog({ url: server.url, service: "asker" });
  await provisionLog(log, { maxBytes: 268_435_456, replicas: 1 });
  store = createInteractionStore(log);
  const keyring = parseKeyring(generateKeyring(), "INTERLUDE_DATA_KEYS");
  keys = createAnswerKeys(await openBucket(log, "answerKeys"), keyring);
});

afterAll(async () => {
  await log.close();
  await server.stop();
});

async function ask(mode: "sync" | "async" = "sync"): Promise<string> {
  const nowMs = Date.now();
  const id = uuidV7(nowMs);
  const asked: AskedData = {
    interaction_id: id,
    asker: "ann",
    group_id: id,
    question: "PIN?",
    answer_format: "text",
    format_payload: {},
    mode,
    created_at: new Date(nowMs).toISOString(),
    timeout_at: new Date(nowMs + 100 * HOUR_MS).toISOString(),
    ...(mode === "async" ? { run: { driver: "d", run_id: "r" } } : {}),
    sensitive: true,
    fingerprint: id,
  };
  await keys.make(id);
  await store.append({ type: "asked", data: asked }, addressOfAsked(asked), 0, { eventId: id, nowMs });
  return id;
}

async function answer(id: string): Promise<void> {
  const content = { sealed: "…", answered_by: "bob", via: "door" } as const;
  const { sealed, ...rest } = content;
  const handled = await handleCommand(
    store,
    id,
    { type: "Answer", content: { ...rest, answer: "4711" }, nowMs: Date.now() },
    () => Date.now(),
    {
      seal: (event) => {
        if (event.type !== "answered") return Promise.resolve(event);
        const { answer: _, ...data } = event.data;
        return Promise.resolve({ type: "answered", data: { ...data, sealed } });
      },
    },
  );
  expect(handled.ok).toBe(true);
}

async function cancel(id: string): Promise<void> {
  const command = { type: "Cancel", cancelledBy: "ann", nowMs: Date.now() } as const;
  await handleCommand(store, id, command, () => Date.now());
}

/** Sweeps as if so many hours had gone by, and says whether the key stands. */
async function keptAfter(hours: number, id: string): Promise<boolean> {
  const nowMs = () => Date.now() + hours * HOUR_MS;
  await sweepAnswerKeys({ keys, store, nowMs, shouldStop: () => false });
  return (await keys.read(id)) !== undefined;
}

describe("the key of a sensitive question", () => {
  it("stands while it is open, and 24 hours from its answer", async () => {
    const id = await ask();
    expect(await keptAfter(90, id)).toBe(true);
    await answer(id);
    expect(await keptAfter(23.9, id)).toBe(true);
    expect(await keptAfter(24.1, id)).toBe(false);
  });

  it("stands for an async answer until its run is done with it", async () => {
    const id = await ask("async");
    await answer(id);
    expect(await keptAfter(10_000, id)).toBe(true);
  });

  it("goes at once with a question that ended without an answer", async () => {
    const id = await ask();
    await cancel(id);
    expect(await keptAfter(0, id)).toBe(false);
  });

  it("goes after an hour when its question never came", async () => {
    const id = uuidV7(Date.now());
    await keys.make(id);
    expect(await keptAfter(0.9, id)).toBe(true);
    expect(await keptAfter(1.1, id)).toBe(false);
  });

  it("leaves nothing behind in its bucket, and may be made anew", async () => {
    const id = uuidV7(Date.now());
    expect(await keys.make(id)).toBe(true);
    expect(await keys.make(id)).toBe(false);
    await keys.shred(id);
    expect(await keys.ids()).not.toContain(id);
    const { state } = await log.manager.streams.info("KV_ANSWER_KEYS", {
      subjects_filter: `$KV.ANSWER_KEYS.${id}`,
    });
    expect(state.subjects ?? {}).toEqual({});
    expect(await keys.make(id)).toBe(true);
  });
});

it("a sweep that is told to stop stops at the next key", async () => {
  await ask();
  await ask();
  let looks = 0;
  const report = await sweepAnswerKeys({
    keys,
    store,
    nowMs: () => Date.now(),
    shouldStop: () => looks++ > 0,
  });
  expect(report.looked).toBe(1);
});
