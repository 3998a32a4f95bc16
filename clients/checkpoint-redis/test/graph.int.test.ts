import {
  Annotation,
  END,
  MemorySaver,
  START,
  StateGraph,
  type BaseCheckpointSaver,
} from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { hasRedis, saverUnderTest } from "./saver-under-test.ts";

const State = Annotation.Root({
  word: Annotation<string>(),
  path: Annotation<string[]>({ reducer: (old, more) => [...old, ...more], default: () => [] }),
});

/** Three steps and a graph within; what a step writes depends on what it is told outside of the state. */
function stepping(checkpointer: BaseCheckpointSaver, say: (node: string) => string) {
  const step = (node: string) => () => ({ word: say(node), path: [`${node} ${say(node)}`] });
  const inner = new StateGraph(State)
    .addNode("deep", step("deep"))
    .addEdge(START, "deep")
    .addEdge("deep", END)
    .compile({ checkpointer: true });
  return new StateGraph(State)
    .addNode("first", step("first"))
    .addNode("inner", inner)
    .addNode("last", step("last"))
    .addEdge(START, "first")
    .addEdge("first", "inner")
    .addEdge("inner", "last")
    .addEdge("last", END)
    .compile({ checkpointer });
}

type Graph = ReturnType<typeof stepping>;

async function history(graph: Graph, threadId: string) {
  const told: unknown[] = [];
  for await (const { values, next, metadata } of graph.getStateHistory({
    configurable: { thread_id: threadId },
  })) {
    const state: unknown = values;
    told.push({ values: state, next, step: metadata?.step, source: metadata?.source });
  }
  return told;
}

describe.skipIf(!hasRedis)("a graph on Redis [needs a Redis server]", () => {
  const test = saverUnderTest();

  it.each(["sync", "async", "exit"] as const)(
    "tells the same history as one in memory (%s)",
    async (durability) => {
      const told = [];
      for (const checkpointer of [new MemorySaver(), test.open()]) {
        const graph = stepping(checkpointer, () => "same");
        const config = { configurable: { thread_id: "t" }, durability };
        await graph.invoke({ word: "in", path: [] }, config);
        await graph.invoke({ word: "again", path: [] }, config);
        told.push(await history(graph, "t"));
      }
      expect(told[1]).toEqual(told[0]);
      expect(told[1]?.length).toBeGreaterThan(1);
    },
  );

  it("keeps the values of each branch apart when two start from one checkpoint", async () => {
    const checkpointer = test.open();
    let turn = "A";
    const graph = stepping(checkpointer, () => turn);
    const thread = { configurable: { thread_id: "forked" } };
    await graph.invoke({ word: "in", path: [] }, thread);
    const fork = await checkpointOfStep(graph, "forked", 1);
    const endOfA = (await graph.getState(thread)).config;

    turn = "B";
    await graph.invoke(null, fork);
    expect((await graph.getState(thread)).values).toMatchObject({
      path: ["first A", "first A", "deep B", "last B"],
    });
    expect((await graph.getState(endOfA)).values).toMatchObject({
      path: ["first A", "first A", "deep A", "last A"],
    });
  });

  it("goes on from a state that was changed by hand, and from a copy of a checkpoint", async () => {
    const told = [];
    for (const checkpointer of [new MemorySaver(), test.open()]) {
      const graph = stepping(checkpointer, (node) => node);
      const thread = { configurable: { thread_id: "t" } };
      await graph.invoke({ word: "in", path: [] }, thread);
      await graph.updateState(thread, { word: "by hand", path: ["by hand"] }, "first");
      await graph.invoke(null, thread);
      const copy = await graph.updateState(await checkpointOfStep(graph, "t", 1), null, "__copy__");
      await graph.invoke(null, copy);
      told.push(await history(graph, "t"));
    }
    expect(told[1]).toEqual(told[0]);
  });
});

async function checkpointOfStep(graph: Graph, threadId: string, step: number) {
  for await (const { config, metadata } of graph.getStateHistory({ configurable: { thread_id: threadId } })) {
    if (metadata?.step === step) return config;
  }
  throw new Error(`no checkpoint of step ${step}`);
}
