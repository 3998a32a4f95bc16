import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

const GUESTS = ["Ana", "Bo", "Cy"];

/**
 * Stands for a model, so that this example needs no account with anybody: it asks three people at once, and sums up
 * what they said. A real one goes in its place.
 */
export class ScriptedModel extends BaseChatModel {
  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const said = messages.filter((each) => ToolMessage.isInstance(each)).map(({ text }) => text);
    const message = said.length === 0 ? this.#askEveryone() : new AIMessage(`Dinner: ${said.join(", ")}.`);
    return Promise.resolve({ generations: [{ text: message.text, message }] });
  }

  #askEveryone(): AIMessage {
    const tool_calls = GUESTS.map((person) => ({
      id: `ask-${person}`,
      name: "ask_person",
      args: { person },
    }));
    return new AIMessage({ content: "", tool_calls });
  }
}
