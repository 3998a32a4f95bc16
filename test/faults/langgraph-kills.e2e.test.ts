import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { RedisCheckpointSaver } from "@interlude/checkpoint-redis";
import { type Drivable, langgraphDriver } from "@interlude/langgraph";
import { type Client, connect, type RunState } from "@interlude/sdk";
import { canHaveRedis, createDatabase, startRedisForTests } from "@interlude/testing";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { answerAll } from "../support/answer-all.ts";
import { NESTED_QUESTIONS, nestedGraph, nestedOut, twiceFlow } from "../support/nested-graph.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

/** Of each of two graphs. */
const RUNS = 24;
const KILLS = 8;
const FLOW_QUESTIONS = 5;
const STARTING = 5;

type Store = { url: string; saver: PostgresSaver | RedisCheckpointSaver; close(): Promise<void> };

async function onPostgres(): Promise<Store> {
  const database = await createDatabase(inject("postgresUrl"));
  const { url } = database;
  const saver = PostgresSaver.fromConnString(url);
  await saver.setup();
  return {
    ...{ url, saver },
    async close() {
      await saver.end();
      await database.drop();
    },
  };
}

async function onRedis(): Promise<Store> {
  const redis = await startRedisForTests();
  const url = `${redis.url}#kills-${crypto.randomUUID()}`;
  const saver = await RedisCheckpointSaver.fromUrl(redis.url, { keyPrefix: new URL(url).hash.slice(1) });
  return {
    ...{ url, saver },
    async close() {
      await saver.end();
      await redis.stop();
    },
  };
}

const WORKER = `
  import { RedisCheckpointSaver } from "@interlude/checkpoint-redis";
  import { langgraphDriver } from "@interlude/langgraph";
  import { connect } from "@interlude/sdk";
  import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
  import { nestedGraph, twiceFlow } from "../support/nested-graph.ts";
  const { URL: url, KEY: apiKey, STORE: store } = process.env;
  const client = connect({ url, apiKey });
  const [address, keyPrefix] = store.split("#");
  const saver = store.startsWith("redis")
    ? await RedisCheckpointSaver.fromUrl(address, { keyPrefix })
    : PostgresSaver.fromConnString(store);
  await langgraphDriver(client, { name: "nested", graph: nestedGraph(saver), concurrency: 4 });
  await langgraphDriver(client, { name: "flows", graph: twiceFlow(saver), concurrency: 4 });
  console.log("up");`;

function startWorker(interlude: Interlude, store: Store): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", WORKER], {
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"], URL: interlude.url, KEY: interlude.keys.asker, STORE: store.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

describe.each([
  { name: "checkpoints on Postgres", open: onPostgres, isThere: true },
  { name: "checkpoints on Redis [needs a Redis server]", open: onRedis, isThere: await canHaveRedis() },
])("workers that are killed at any moment, with $name", ({ open, isThere }) => {
  let interlude: Interlude;
  let store: Store;
  let asker: Client;

  beforeAll(async () => {
    if (!isThere) return;
    interlude = await startInterlude({ settings: { resume_lease_seconds: 2, resume_attempts: 1_000 } });
    store = await open();
    asker = connect({ url: interlude.url, apiKey: interlude.keys.asker });
  });
  afterAll(async () => {
    if (!isThere) return;
    await asker.close();
    await interlude.stop();
    await store.close();
  });

  async function count(state: RunState): Promise<number> {
    let runs = 0;
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await asker.listRuns({ state, cursor });
      runs += items.length;
      cursor = nextCursor;
    } while (cursor !== undefined);
    return runs;
  }

  async function startAll(): Promise<void> {
    const nested = { name: "nested", graph: nestedGraph(store.saver), resumes: false };
    const flows = { name: "flows", graph: twiceFlow(store.saver) as Drivable, resumes: false };
    const drivers = [await langgraphDriver(asker, nested), await langgraphDriver(asker, flows)];
    const runs = Array.from({ length: RUNS }, (_, run) => run).values();
    const lane = async (): Promise<void> => {
      for (const run of runs) {
        await drivers[0]?.start(`nested-${run}`, { out: [] });
        await drivers[1]?.start(`flow-${run}`, ["x", "y"]);
      }
    };
    await Promise.all(Array.from({ length: STARTING }, lane));
  }

  async function killWorkers(): Promise<void> {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const worker = startWorker(interlude, store);
      if (worker.stdout !== null) await once(worker.stdout, "data");
      // Whenever: that is what is tested.
      await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 1_500));
      worker.kill("SIGKILL");
    }
  }

  it.skipIf(!isThere)(
    `lose none of ${2 * RUNS} runs, ask nothing twice, and give no answer to another question`,
    { timeout: 600_000 },
    async () => {
      const answering = await answerAll(connect({ url: interlude.url, apiKey: interlude.keys.answerer }));
      await Promise.all([startAll(), killWorkers()]);
      const survivors = [startWorker(interlude, store), startWorker(interlude, store)];
      try {
        await expect
          .poll(async () => (await count("parked")) + (await count("resuming")), {
            timeout: 300_000,
            interval: 1_000,
          })
          .toBe(0);
      } finally {
        for (const survivor of survivors) survivor.kill("SIGKILL");
        await answering.end();
      }
      expect(await count("failed")).toBe(0);
      for (let run = 0; run < RUNS; run += 1) {
        const configurable = { thread_id: `nested-${run}` };
        const { values, tasks } = await nestedGraph(store.saver).getState({ configurable });
        expect(tasks).toEqual([]);
        const { out } = values as { out: string[] };
        expect([...out].sort()).toEqual(nestedOut((question) => `${question} answered`));
      }
      expect(answering.answered.size).toBe(RUNS * (NESTED_QUESTIONS + FLOW_QUESTIONS));
    },
  );
});
