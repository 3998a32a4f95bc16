import { askUser, type Drivable, isExpired } from "@interlude/langgraph";
import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";

const OrderState = Annotation.Root({
  /** Where the person is asked: the conversation that the message came from. */
  chat: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** Everything they have said, over all messages. */
  said: Annotation<string[]>({ reducer: (old, more) => [...old, ...more], default: () => [] }),
  size: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
});

const DAY_MS = 86_400_000;

/** Asks in the chat which size it is to be, and places the order; `placed` is told of each. */
export function orderGraph(checkpointer: BaseCheckpointSaver, placed: (size: string) => void): Drivable {
  return new StateGraph(OrderState)
    .addNode("ask", async ({ chat }) => {
      const size = await askUser({
        ...{ question: "Which size?", answerFormat: "select", options: ["Small", "Large"] },
        ...{ channel: "telegram", recipient: chat, onMismatch: "bridge" },
        expiryAt: new Date(Date.now() + 7 * DAY_MS),
      });
      return { size: isExpired(size) ? "none" : size };
    })
    .addNode("place", ({ size }) => {
      placed(size);
      return {};
    })
    .addEdge(START, "ask")
    .addEdge("ask", "place")
    .addEdge("place", END)
    .compile({ checkpointer });
}
