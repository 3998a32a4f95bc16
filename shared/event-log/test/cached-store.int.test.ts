import { randomUUID } from "node:crypto";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type CachedStore,
  createCachedStore,
  createInteractionStore,
  handleCommand,
  type InteractionStore,
  openTail,
  type Tail,
  type TailListener,
} from "../src/index.ts";
import { askedAt } from "./asked-at.ts";
import { openTestLog } from "./open-test-log.ts";

const MAX_BYTES = 100_000;

let test: Awaited<ReturnType<typeof openTestLog>>;
let tail: Tail;
let store: InteractionStore;
/** The store under the cache, counting what the log is asked. */
let reads: number;
let cached: CachedStore;
/** While true, what the tail tells is kept from the cache: another process's news that is still on its way. */
let isHeldBack: boolean;
const now = () => test.log.clock.nowMs();

beforeAll(async () => {
  test = await openTestLog();
  store = createInteractionStore(test.log);
  tail = await openTail(test.log, { onUnreadable: () => undefined });
});
afterAll(async () => {
  await tail.close();
  await test.close();
});
beforeEach(() => {
  reads = 0;
  isHeldBack = false;
  cached = openCache(MAX_BYTES);
});

function openCache(maxBytes: number): CachedStore {
  const counting: InteractionStore = {
    ...store,
    read: (id) => {
      reads += 1;
      return store.read(id);
    },
    readFresh: (id) => {
      reads += 1;
      return store.readFresh(id);
    },
  };
  const subscribe = (listener: TailListener) =>
    tail.subscribe((stored) => {
      if (!isHeldBack) listener(stored);
    });
  return createCachedStore(counting, { subscribe }, maxBytes);
}

const command = (by: string) =>
  ({
    type: "Answer",
    content: { answer: true, answered_by: by, via: "door" },
    nowMs: now(),
  }) as const;

/** Asks, and waits until the tail has told the cache. */
async function asked(id: string = randomUUID(), forMs?: number): Promise<string> {
  const handled = await handleCommand(store, id, { type: "Ask", asked: askedAt(id, now(), forMs) }, now);
  if (!handled.ok) throw new Error("not asked");
  await eventually(() => tail.position >= handled.sequence);
  return id;
}

const answerCached = (id: string, by = "bob") => handleCommand(cached, id, command(by), now);
const answerElsewhere = (id: string, by: string) => handleCommand(store, id, command(by), now);

describe("a store that remembers open questions", () => {
  it("takes an answer without reading the log", async () => {
    const id = await asked();
    expect(await answerCached(id)).toMatchObject({ ok: true, changed: true });
    expect(reads).toBe(0);
    expect((await store.readAll(id)).length).toBe(2);
  });

  it("reads the log for what it was never told", async () => {
    isHeldBack = true;
    const id = await asked();
    expect(await answerCached(id)).toMatchObject({ ok: true, changed: true });
    expect(reads).toBe(1);
  });

  it("never overrules an answer that it has not heard of: the conflict reloads", async () => {
    const id = await asked();
    isHeldBack = true;
    await answerElsewhere(id, "carol");
    const outcome = await answerCached(id, "bob");
    expect(outcome).toMatchObject({ ok: false, refusal: { code: "already_answered" } });
    expect(reads).toBe(1);
    const entries = await store.readAll(id);
    expect(entries.map(({ entry }) => ("type" in entry ? entry.type : ""))).toEqual(["asked", "answered"]);
  });

  it("refuses by what the log says, not by what it remembers", async () => {
    const id = await asked();
    isHeldBack = true;
    await answerElsewhere(id, "carol");
    const invalid = { after: () => "does not fit" };
    const outcome = await handleCommand(cached, id, command("bob"), now, invalid);
    expect(outcome).toMatchObject({ ok: false, refusal: { code: "already_answered" } });
  });

  it("forgets a question with its end, and after a conflict", async () => {
    const one = await asked();
    const other = await asked();
    const before = cached.bytes;
    expect(before).toBeGreaterThan(0);
    await answerElsewhere(one, "carol");
    await eventually(() => cached.bytes < before);
    await cached.readFresh(other);
    expect(cached.bytes).toBe(0);
  });

  it("does not take for open what was asked again under a used id", async () => {
    const id = await asked();
    await answerCached(id);
    const again = await handleCommand(cached, id, command("carol"), now);
    expect(again).toMatchObject({ ok: false, refusal: { code: "already_answered" } });
  });

  it("holds no more than its bytes: the oldest go first and are read again", async () => {
    cached.close();
    cached = openCache(3_000);
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) ids.push(await asked());
    expect(cached.bytes).toBeLessThanOrEqual(3_000);
    expect(cached.bytes).toBeGreaterThan(0);
    await answerCached(ids.at(-1) ?? "");
    expect(reads).toBe(0);
    await answerCached(ids[0] ?? "");
    expect(reads).toBe(1);
  });
});
