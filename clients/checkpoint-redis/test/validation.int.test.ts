import { canHaveRedis, startRedisForTests } from "@interlude/testing";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RedisCheckpointSaver } from "../src/index.ts";

// LangGraph's suite takes its test functions from where a runner with globals puts them.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });

const hasRedis = await canHaveRedis();

describe.skipIf(!hasRedis)("LangGraph's own suite for checkpoint savers [needs a Redis server]", () => {
  let server: Awaited<ReturnType<typeof startRedisForTests>>;
  const run = `validation-${crypto.randomUUID()}`;
  let savers = 0;

  beforeAll(async () => {
    server = await startRedisForTests();
  });
  afterAll(async () => {
    await server.stop();
  });

  const suite = {
    checkpointerName: "RedisCheckpointSaver",
    createCheckpointer: () => RedisCheckpointSaver.fromUrl(server.url, { keyPrefix: `${run}-${savers++}` }),
    async destroyCheckpointer(saver: RedisCheckpointSaver): Promise<void> {
      for await (const { config } of saver.list({})) {
        await saver.deleteThread(String(config.configurable?.["thread_id"]));
      }
      await saver.end();
    },
  };
  validate(suite);
  deltaChannelHistoryTests(suite);
});
