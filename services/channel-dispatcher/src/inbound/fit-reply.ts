import { expectation, matchReply, type QuestionFormat } from "@interlude/channel-kit";
import { type AskedData, optionValue } from "@interlude/contract";
import type { FromPerson, ReplyFit } from "@interlude/domain";

/** What a person's reply or tap comes to for a question, by what it was asked with. */
export function fitReply(
  said: FromPerson,
  asked: AskedData,
  { format, numbered, language }: { format: QuestionFormat; numbered?: readonly string[]; language: string },
): ReplyFit {
  if (said.kind === "tap") return fitTap(said.choice, format);
  if (format.format === "form" || format.format === "external") {
    return { kind: "mismatch", reason: expectation(format, false, language) };
  }
  return matchReply(said.text ?? "", {
    ...{ format: format.format, language },
    ...(asked.format_payload.options === undefined ? {} : { options: asked.format_payload.options }),
    ...(numbered === undefined ? {} : { numbered }),
  });
}

function fitTap(choice: string, format: QuestionFormat): ReplyFit {
  if (choice === "form") return { kind: "opens" };
  if (format.format === "confirm" && (choice === "yes" || choice === "no")) {
    return { kind: "answer", answer: choice === "yes" };
  }
  const options = format.format === "select" || format.format === "text" ? (format.options ?? []) : [];
  const option = /^\d{1,3}$/.test(choice) ? options[Number(choice)] : undefined;
  if (option === undefined) return { kind: "mismatch", reason: "what was tapped is no answer" };
  const answer = optionValue(option);
  return format.format === "text"
    ? { kind: "answer", answer, params: { reply_id: answer } }
    : { kind: "answer", answer };
}
