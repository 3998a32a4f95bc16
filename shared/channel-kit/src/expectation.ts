import { type AskOption, optionLabel } from "@interlude/contract";
import { chatMessages } from "./chat-messages.ts";
import type { QuestionEnd, QuestionFormat } from "./question.ts";

/** A longer list is not repeated: the person has it in the question. */
const LIST_MAX_CHARS = 600;

function optionLines(options: readonly AskOption[], numbered: boolean): string {
  return options
    .map((option, index) => `${numbered ? `${index + 1}.` : "-"} ${optionLabel(option)}`)
    .join("\n");
}

/** What is expected of the person, said when a reply was no answer. */
export function expectation(question: QuestionFormat, numbered = false, language = "en"): string {
  const say = chatMessages(language);
  switch (question.format) {
    case "text":
      return say.expectText;
    case "confirm":
      return say.expectYesNo;
    case "select": {
      const lines = optionLines(question.options, numbered);
      return lines.length > LIST_MAX_CHARS ? say.expectOptionAbove : `${say.expectOption}\n${lines}`;
    }
    case "form":
      return say.expectForm;
    case "external":
      return say.expectLink;
  }
}

/** The asker's words with the reason put in plainly: `$&` and the like are only text. */
export function fillNotice(notice: string, reason: string): string {
  return notice.replaceAll("{reason}", () => reason);
}

/** How a question ended, in one line. */
export function endText({ status, answer }: QuestionEnd, language = "en"): string {
  const say = chatMessages(language);
  if (status !== "answered") return say[status];
  return answer === undefined ? say.answered : `${say.answered}: ${answer}`;
}
