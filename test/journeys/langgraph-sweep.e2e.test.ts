import { RedisCheckpointSaver } from "@interlude/checkpoint-redis";
import { langgraphDriver } from "@interlude/langgraph";
import { connect } from "@interlude/sdk";
import { canHaveRedis, startRedisForTests } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerAll } from "../support/answer-all.ts";
import { nestedGraph } from "../support/nested-graph.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const hasRedis = await canHaveRedis();

describe.skipIf(!hasRedis)("the sweep of a graph's checkpoints [needs a Redis server]", () => {
  let interlude: Interlude;
  let redis: Awaited<ReturnType<typeof startRedisForTests>>;
  let saver: RedisCheckpointSaver;

  beforeAll(async () => {
    interlude = await startInterlude();
    redis = await startRedisForTests();
    saver = await RedisCheckpointSaver.fromUrl(redis.url, { keyPrefix: `sweep-${crypto.randomUUID()}` });
  });
  afterAll(async () => {
    await saver.end();
    await redis.stop();
    await interlude.stop();
  });

  it("keeps the thread of a run that waits, lets those go that are over, and deletes nothing when it cannot know", async () => {
    const { url, keys } = interlude;
    const asker = connect({ url, apiKey: keys.asker, retrySeconds: 1 });
    const driver = await langgraphDriver(asker, { name: "swept", graph: nestedGraph(saver) });
    const sweep = () => saver.sweep({ idleSeconds: 0, parkedRuns: () => driver.parkedRuns() });

    const answering = await answerAll(connect({ url, apiKey: keys.answerer }));
    await driver.start("over", { out: [] });
    await expect.poll(() => driver.parkedRuns(), { timeout: 20_000 }).toEqual(new Set());
    await answering.end();
    await driver.start("waits", { out: [] });
    expect(await driver.parkedRuns()).toEqual(new Set(["waits"]));
    expect(await sweep()).toEqual({ status: "swept", deleted: 1, parked: 1 });
    const left = await saver.getTuple({ configurable: { thread_id: "waits" } });
    expect(left).toBeDefined();

    await driver.stop();
    await interlude.detach();
    expect(await sweep()).toMatchObject({ status: "kept", reason: "parked_runs_unknown" });
    await asker.close();
  });
});
