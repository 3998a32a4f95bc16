import { askUser, type Drivable, isExpired } from "@interlude/langgraph";
import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { tool } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  END,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { z } from "zod";
import { ScriptedModel } from "./scripted-model.ts";

const DAY_MS = 24 * 3_600_000;

const askPerson = tool(
  async ({ person }) => {
    const wish = await askUser({
      question: `${person}, what would you like for dinner?`,
      expiryAt: new Date(Date.now() + DAY_MS),
    });
    return isExpired(wish) ? `${person} has not said` : `${person} wants ${wish}`;
  },
  {
    name: "ask_person",
    description: "Asks a guest what to cook.",
    schema: z.object({ person: z.string() }),
  },
);

/** The calls of the model's last message, each as a step of its own: so all of them ask at once. */
function callsOf({ messages }: typeof MessagesAnnotation.State): Send[] | typeof END {
  const last = messages.at(-1);
  const calls = last !== undefined && AIMessage.isInstance(last) ? (last.tool_calls ?? []) : [];
  return calls.length === 0 ? END : calls.map((call) => new Send("tool", call));
}

export function dinnerAgent(checkpointer: BaseCheckpointSaver): Drivable {
  const model = new ScriptedModel({}).bindTools();
  return new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode("tool", async (call: ToolCall) => ({
      messages: [await askPerson.invoke({ ...call, type: "tool_call" })],
    }))
    .addEdge(START, "model")
    .addConditionalEdges("model", callsOf, ["tool", END])
    .addEdge("tool", "model")
    .compile({ checkpointer });
}
