import { type AskOption, foldText, optionLabel, optionValue, optionValues } from "@interlude/contract";
import { chatMessages } from "./chat-messages.ts";

/** A number typed for an option that is a number would mean two things, so such options have none. */
function isNumber(option: AskOption): boolean {
  return [optionValue(option), optionLabel(option)].some((text) => /^[+-]?[\d.,]+$/.test(foldText(text)));
}

/** What a person types by: the options under the question, numbered unless one of them is itself a number. */
export function numberedPrompt(
  question: string,
  options: readonly AskOption[],
  language = "en",
): { text: string; numbered?: readonly string[] } {
  const say = chatMessages(language);
  const labels = options.map(optionLabel);
  if (options.some(isNumber)) {
    const lines = labels.map((label) => `- ${label}`);
    return { text: [question, "", ...lines, "", say.replyOption].join("\n") };
  }
  const lines = labels.map((label, index) => `${index + 1}. ${label}`);
  return {
    text: [question, "", ...lines, "", say.replyNumber].join("\n"),
    numbered: optionValues(options),
  };
}
