import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { canStartRedis, eventually, startOwnRedis, type OwnServer } from "@interlude/testing";
import { createClient } from "redis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { RedisCheckpointSaver, type SaverOptions } from "../src/index.ts";
import { checkpointOf, ofThread, putAll } from "./saver-under-test.ts";

const canStart = await canStartRedis();

describe.skipIf(!canStart)("a saver whose server fails [needs a Redis server]", () => {
  let server: OwnServer;
  const savers: RedisCheckpointSaver[] = [];

  beforeAll(async () => {
    server = await startOwnRedis();
  });
  afterEach(async () => {
    await Promise.all(savers.splice(0).map((saver) => saver.end()));
  });
  afterAll(async () => {
    await server.stop();
  });

  async function open(options: SaverOptions = {}): Promise<RedisCheckpointSaver> {
    const saver = await RedisCheckpointSaver.fromUrl(server.url, options);
    savers.push(saver);
    return saver;
  }

  async function configured<T>(settings: Record<string, string>, work: () => Promise<T>): Promise<T> {
    const client = createClient({ url: server.url });
    await client.connect();
    const before = await client.configGet(Object.keys(settings));
    await client.configSet(settings);
    try {
      return await work();
    } finally {
      await client.configSet({ ...before });
      await client.close();
    }
  }

  it("finds after kill -9 and a restart what it was told is stored, and goes on by itself", async () => {
    const saver = await open();
    const config = await putAll(saver, "killed", checkpointOf({ a: 1 }));
    await saver.putWrites(config, [["a", 2]], "task");
    const before = await saver.getTuple(config);
    await server.kill();
    // A command that comes while the server is away waits for it.
    const meanwhile = saver.getTuple(config);
    await server.restart();
    expect(await meanwhile).toEqual(before);
    expect(await (await open()).getTuple(config)).toEqual(before);
  });

  it("gives up on one that does not answer or is away for too long, and uses it again afterwards", async () => {
    const saver = await open({ timeoutSeconds: 0.2 });
    const config = await putAll(saver, "frozen", checkpointOf({ a: 1 }));
    await server.freeze();
    await expect(saver.getTuple(config)).rejects.toMatchObject({ code: "server_away" });
    server.thaw();
    await eventually(async () => {
      expect(await saver.getTuple(config)).toBeDefined();
    });
    await server.kill();
    await expect(saver.getTuple(config)).rejects.toThrow();
    await expect(putAll(saver, "never", checkpointOf())).rejects.toMatchObject({ code: "server_away" });
    await server.restart();
    await eventually(async () => {
      expect(await saver.getTuple(config)).toBeDefined();
    });
    expect(await saver.getTuple(ofThread("never"))).toBeUndefined();
  });

  it("ends although the server answers nothing any more", async () => {
    const saver = await open();
    await server.freeze();
    const failed = expect(saver.getTuple(ofThread("frozen"))).rejects.toThrow();
    await saver.end();
    await failed;
    server.thaw();
  });

  it("leaves nothing of a checkpoint for which there is no memory", async () => {
    const saver = await open();
    await configured({ maxmemory: "1" }, async () => {
      await expect(putAll(saver, "too much", checkpointOf({ a: 1 }))).rejects.toThrow(/OOM/);
    });
    const client = createClient({ url: server.url });
    await client.connect();
    expect((await client.keys("*")).filter((key) => key.includes("too"))).toEqual([]);
    await client.close();
    expect(await saver.getTuple(ofThread("too much"))).toBeUndefined();
  });

  it("is refused where the server may forget threads to make room", async () => {
    await configured({ "maxmemory-policy": "allkeys-lru" }, async () => {
      await expect(open()).rejects.toMatchObject({ code: "server_unfit" });
    });
    await configured({ "maxmemory-policy": "volatile-ttl" }, async () => {
      expect(await open()).toBeInstanceOf(RedisCheckpointSaver);
    });
  });

  it("brings a parked graph back in another process, where it goes on with the answers", async () => {
    const config = { configurable: { thread_id: "parked: Ä" } };
    const parked = await twoQuestions(await open()).invoke({ said: [] }, config);
    const [first, second] = interruptsOf(parked);
    await server.kill();
    await server.restart();

    const half = await twoQuestions(await open()).invoke(
      new Command({ resume: { [second.id]: "two" } }),
      config,
    );
    expect(interruptsOf(half)).toEqual([first]);
    const done = await twoQuestions(await open()).invoke(
      new Command({ resume: { [first.id]: false } }),
      config,
    );
    expect(done.said).toEqual(["one: false", "two: two"]);
  });
});

const State = Annotation.Root({
  said: Annotation<string[]>({ reducer: (old, more) => [...old, ...more], default: () => [] }),
});

/** Two branches of one step, each of which asks somebody. */
function twoQuestions(checkpointer: RedisCheckpointSaver) {
  const ask = (name: string) => () => ({ said: [`${name}: ${String(interrupt(name))}`] });
  return new StateGraph(State)
    .addNode("one", ask("one"))
    .addNode("two", ask("two"))
    .addEdge(START, "one")
    .addEdge(START, "two")
    .addEdge("one", END)
    .addEdge("two", END)
    .compile({ checkpointer });
}

type Interrupt = { id: string; value: unknown };

function interruptsOf(state: object): [Interrupt, Interrupt] {
  const found: unknown = "__interrupt__" in state ? state.__interrupt__ : [];
  return found as [Interrupt, Interrupt];
}
