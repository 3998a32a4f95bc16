import { askUser, type Drivable } from "@interlude/langgraph";
import {
  Annotation,
  type BaseCheckpointSaver,
  END,
  entrypoint,
  START,
  StateGraph,
  task,
} from "@langchain/langgraph";

const State = Annotation.Root({
  out: Annotation<string[]>({ reducer: (old, more) => [...old, ...more], default: () => [] }),
});

async function ask(question: string): Promise<string> {
  const answer = await askUser({ question, expiryAt: new Date(Date.now() + 3_600_000) });
  return typeof answer === "string" ? answer : "nobody";
}

/** A graph within, by name and by call, that asks twice in one step and once more in the next. */
export function nestedGraph(checkpointer: BaseCheckpointSaver): Drivable {
  const inner = new StateGraph(State)
    .addNode("twice", async () => ({ out: [`${await ask("one?")} ${await ask("two?")}`] }))
    .addNode("after", async () => ({ out: [await ask("three?")] }))
    .addEdge(START, "twice")
    .addEdge("twice", "after")
    .addEdge("after", END)
    .compile();
  return new StateGraph(State)
    .addNode("beside", async () => ({ out: [await ask("beside?")] }))
    .addNode("named", inner)
    .addNode("called", async (_, config) => ({ out: (await inner.invoke({ out: [] }, config)).out }))
    .addEdge(START, "beside")
    .addEdge(START, "named")
    .addEdge(START, "called")
    .addEdge("beside", END)
    .addEdge("named", END)
    .addEdge("called", END)
    .compile({ checkpointer });
}

export const NESTED_QUESTIONS = 7;
export const nestedOut = (of: (question: string) => string): string[] => {
  const inner = [`${of("one?")} ${of("two?")}`, of("three?")];
  return [of("beside?"), ...inner, ...inner].sort();
};

/** Two tasks at once that ask twice, and a question of the flow's own. */
export function twiceFlow(checkpointer: BaseCheckpointSaver) {
  const twice = task("twice", async (name: string) => `${await ask(`${name}1?`)} ${await ask(`${name}2?`)}`);
  return entrypoint({ name: "flow", checkpointer }, async (names: string[]) => {
    const out = await Promise.all(names.map((name) => twice(name)));
    return { out: [...out, await ask("last?")] };
  });
}
