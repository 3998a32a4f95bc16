import type { FieldFault } from "@interlude/contract";
import type { QuestionContent } from "./question.ts";

/** Ours: nobody reads a question of more messages than this. */
export const MESSAGES_PER_QUESTION = 20;

/** A question that would become too many messages, by the field that makes it long. */
export function countFaults(content: QuestionContent, messages: number, channel: string): FieldFault[] {
  if (messages <= MESSAGES_PER_QUESTION) return [];
  const field = content.format === "select" ? "options" : content.media === undefined ? "question" : "media";
  const message = `${field} would take ${messages} messages on channel ${channel}, which sends at most ${MESSAGES_PER_QUESTION} a question`;
  return [{ path: `/${field}`, message }];
}
