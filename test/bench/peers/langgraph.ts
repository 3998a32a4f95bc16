import { randomUUID } from "node:crypto";
import { Annotation, Command, END, interrupt, isInterrupted, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import type { Contender } from "./contender.ts";
import { openMoments } from "./moments.ts";

const State = Annotation.Root({ id: Annotation<string>, answer: Annotation<boolean> });

/** A graph that interrupts itself; its own loop has no other wake than the application that resumes it. */
export async function openLangGraph(databaseUrl: string): Promise<Contender> {
  const moments = openMoments<number>();
  const saver = PostgresSaver.fromConnString(databaseUrl);
  await saver.setup();
  const graph = new StateGraph(State)
    .addNode("ask", ({ id }) => {
      const answer = interrupt<string, boolean>("Go on?");
      moments.came(id, performance.now());
      return { answer };
    })
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile({ checkpointer: saver });
  return {
    async park() {
      const id = randomUUID();
      const thread = { configurable: { thread_id: id }, durability: "sync" as const };
      const waiting: unknown = await graph.invoke({ id, answer: false }, thread);
      const interruptId = isInterrupted(waiting) ? waiting.__interrupt__[0]?.id : undefined;
      if (interruptId === undefined) throw new Error("the graph did not interrupt itself");
      // The answer and the rest of the run are one call here.
      let resumed: Promise<unknown> | undefined;
      return {
        async continued() {
          const atMs = await moments.of(id);
          return { atMs, finished: Promise.resolve(resumed) };
        },
        async answer() {
          resumed = graph.invoke(new Command({ resume: { [interruptId]: true } }), thread);
          await resumed;
        },
      };
    },
    close: () => saver.end(),
  };
}
