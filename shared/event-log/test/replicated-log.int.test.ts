import { randomUUID } from "node:crypto";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createInteractionStore,
  handleCommand,
  type InteractionStore,
  type Log,
  logBounds,
  openLog,
  provisionLog,
  readLog,
} from "../src/index.ts";
import { askedAt } from "./asked-at.ts";
import { startCluster } from "./start-cluster.ts";

const QUESTIONS = 400;
const AT_A_TIME = 8;

let cluster: Awaited<ReturnType<typeof startCluster>>;
/** One process a server: what one has stored, the next reads from a replica that may lag. */
let logs: Log[];
let stores: InteractionStore[];

beforeAll(async () => {
  cluster = await startCluster();
  const sizes = { maxBytes: 268_435_456, replicas: 3 };
  // Servers that have just met have no leader yet.
  await eventually(
    async () => {
      const admin = await openLog({ url: cluster.urls.join(), service: "provision" });
      try {
        await provisionLog(admin, sizes);
        return true;
      } finally {
        await admin.close();
      }
    },
    { withinMs: 50_000 },
  );
  logs = await Promise.all(cluster.urls.map((url) => openLog({ url, service: "test" })));
  stores = logs.map((log) => createInteractionStore(log));
});
afterAll(async () => {
  await Promise.all(logs.map((log) => log.close()));
  await cluster.stop();
});

function at(turn: number): { log: Log; store: InteractionStore; now: () => number } {
  const log = logs[turn % logs.length];
  const store = stores[turn % stores.length];
  if (log === undefined || store === undefined) throw new Error("no such process");
  return { log, store, now: () => log.clock.nowMs() };
}

async function ask(turn: number): Promise<string> {
  const { store, now } = at(turn);
  const id = randomUUID();
  const handled = await handleCommand(store, id, { type: "Ask", asked: askedAt(id, now()) }, now);
  if (!handled.ok) throw new Error("not asked");
  return id;
}

function answer(turn: number, id: string) {
  const { store, now } = at(turn);
  const content = { answer: true, answered_by: `process-${turn % 3}`, via: "door" } as const;
  return handleCommand(store, id, { type: "Answer", content, nowMs: now() }, now);
}

/** Runs it for every turn, some at a time. */
async function forEachTurn(work: (turn: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < QUESTIONS) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

describe("a log on three replicas", () => {
  it("answers what another process has just asked, and never says it is not there", async () => {
    await forEachTurn(async (turn) => {
      const id = await ask(turn);
      expect(await answer(turn + 1, id)).toMatchObject({ ok: true, changed: true });
    });
  });

  it("tells a second answer at once who was first, and a history in whole", async () => {
    await forEachTurn(async (turn) => {
      const id = await ask(turn);
      await answer(turn, id);
      expect(await answer(turn + 1, id)).toMatchObject({ refusal: { code: "already_answered" } });
      expect((await at(turn + 2).store.readAll(id)).length).toBe(2);
    });
  });

  it("is read to its end from any of them", async () => {
    for (let turn = 0; turn < 60; turn++) {
      await ask(turn);
      const { log } = at(turn + 1);
      const { lastSequence } = await logBounds(log);
      const read = await readLog(log, lastSequence, 10, () => undefined);
      expect(read.at(-1)?.sequence).toBeGreaterThanOrEqual(lastSequence);
    }
  });
});
