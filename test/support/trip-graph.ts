import { askUser, type Drivable } from "@interlude/langgraph";
import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";

export const TripState = Annotation.Root({
  minutes: Annotation<number>({ reducer: (_, next) => next, default: () => 60 }),
  out: Annotation<string[]>({ reducer: (old, more) => [...old, ...more], default: () => [] }),
});

type Trip = typeof TripState.State;

/** What a person said, or that nobody did. */
async function say(question: string, { minutes }: Trip): Promise<string> {
  const answer = await askUser({ question, expiryAt: new Date(Date.now() + minutes * 60_000) });
  return typeof answer === "string" ? answer : "nobody";
}

function asking(name: string) {
  return async (state: Trip) => ({ out: [`${name}: ${await say(`${name}?`, state)}`] });
}

/** Two branches and a graph within at once; then one more question, and the end. */
export function tripGraph(checkpointer: BaseCheckpointSaver): Drivable {
  const inner = new StateGraph(TripState)
    .addNode("seat", asking("seat"))
    .addEdge(START, "seat")
    .addEdge("seat", END)
    .compile();
  return new StateGraph(TripState)
    .addNode("hotel", asking("hotel"))
    .addNode("train", asking("train"))
    .addNode("nested", inner)
    .addNode("sum", (state) => ({ out: [`so far ${state.out.length}`] }))
    .addNode("confirm", asking("confirm"))
    .addEdge(START, "hotel")
    .addEdge(START, "train")
    .addEdge(START, "nested")
    .addEdge(["hotel", "train", "nested"], "sum")
    .addEdge("sum", "confirm")
    .addEdge("confirm", END)
    .compile({ checkpointer });
}

export const TRIP_OUT = (by: (name: string) => string): string[] => [
  ...["hotel", "train", "seat"].map((name) => `${name}: ${by(name)}`).sort(),
  "so far 3",
  `confirm: ${by("confirm")}`,
];
