import {
  type AnswerParams,
  type AskOption,
  checkPlainAnswer,
  foldText,
  hasVisible,
  optionLabel,
  optionValue,
  parseAnswerBody,
  type PlainFormat,
} from "@interlude/contract";
import { confirmWord } from "./confirm-words.ts";

export type ReplyMatch =
  | Readonly<{ kind: "answer"; answer: string | boolean; params?: AnswerParams }>
  /** `reason` stands for `{reason}` in a notice. */
  | Readonly<{ kind: "mismatch"; reason: string }>;

export type ReplyQuestion = Readonly<{
  format: PlainFormat;
  options?: readonly AskOption[];
  /** As `Rendering.numbered`. */
  numbered?: readonly string[];
  language?: string;
}>;

const mismatch = (reason: string): ReplyMatch => ({ kind: "mismatch", reason });

/** What a typed reply answers, or why it does not: never a guess. */
export function matchReply(text: string, question: ReplyQuestion): ReplyMatch {
  const typed = text.trim();
  if (!hasVisible(typed)) return mismatch("the reply has no text");
  // What no answer may hold, by whatever way it comes.
  if (/[\0\p{Cs}]/u.test(typed)) return mismatch("the reply holds NUL or half a character");
  switch (question.format) {
    case "text":
      return matchText(typed);
    case "confirm":
      return matchConfirm(typed, question.language ?? "en");
    case "select":
      return matchOption(typed, question.options ?? [], question.numbered);
  }
}

function matchText(typed: string): ReplyMatch {
  const [fault] = checkPlainAnswer("text", undefined, typed);
  return fault === undefined ? { kind: "answer", answer: typed } : mismatch(fault.message);
}

/** A word, or a word, a comma and what they want to say with it. */
function matchConfirm(typed: string, language: string): ReplyMatch {
  const comma = typed.indexOf(",");
  const answer = confirmWord(comma < 0 ? typed : typed.slice(0, comma), language);
  if (answer === undefined) return mismatch("the reply is neither yes nor no");
  const comment = comma < 0 ? "" : typed.slice(comma + 1).trim();
  if (comment === "") return { kind: "answer", answer };
  const params = { comment };
  const parsed = parseAnswerBody({ answer, params });
  if (parsed.ok) return { kind: "answer", answer, params };
  return mismatch("the words after the comma are too long");
}

function matchOption(
  typed: string,
  options: readonly AskOption[],
  numbered: readonly string[] | undefined,
): ReplyMatch {
  const folded = foldText(typed);
  const means = (option: AskOption): boolean =>
    foldText(optionValue(option)) === folded || foldText(optionLabel(option)) === folded;
  const values = new Set(options.filter(means).map(optionValue));
  const byNumber = /^\d{1,3}[.)]?$/.test(folded) ? numbered?.[Number.parseInt(folded, 10) - 1] : undefined;
  if (byNumber !== undefined) values.add(byNumber);
  const [only, other] = values;
  if (only === undefined) return mismatch("the reply is none of the options");
  return other === undefined ? { kind: "answer", answer: only } : mismatch("the reply fits two options");
}
