import { langgraphDriver } from "@interlude/langgraph";
import { type Client, connect } from "@interlude/sdk";
import { RedisSaver } from "@langchain/langgraph-checkpoint-redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerAll } from "../support/answer-all.ts";
import { NESTED_QUESTIONS, nestedGraph, nestedOut } from "../support/nested-graph.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

/** LangChain's saver needs RedisJSON and RediSearch, which few servers have. */
const STACK_URL = process.env["REDIS_STACK_URL"] ?? "";

describe.skipIf(STACK_URL === "")("LangChain's own saver for Redis [needs REDIS_STACK_URL]", () => {
  let interlude: Interlude;
  let saver: RedisSaver;
  let asker: Client;

  beforeAll(async () => {
    interlude = await startInterlude();
    saver = await RedisSaver.fromUrl(STACK_URL);
    asker = connect({ url: interlude.url, apiKey: interlude.keys.asker });
  });
  afterAll(async () => {
    await asker.close();
    await saver.end();
    await interlude.stop();
  });

  it("keeps a graph with graphs within that waits, and each answer reaches its question", async () => {
    const answering = await answerAll(connect({ url: interlude.url, apiKey: interlude.keys.answerer }));
    const driver = await langgraphDriver(asker, { name: "official", graph: nestedGraph(saver) });
    const threadId = crypto.randomUUID();
    expect(await driver.start(threadId, { out: [] })).toMatchObject({ status: "suspended" });
    const state = async () => (await asker.getRun("official", threadId)).state;
    await expect.poll(state, { timeout: 30_000, interval: 100 }).toBe("resumed");
    const { values } = await nestedGraph(saver).getState({ configurable: { thread_id: threadId } });
    const { out } = values as { out: string[] };
    expect(out.toSorted()).toEqual(nestedOut((question) => `${question} answered`));
    expect(answering.answered.size).toBe(NESTED_QUESTIONS);
    await answering.end();
    await driver.stop();
    await saver.deleteThread(threadId);
  });
});
