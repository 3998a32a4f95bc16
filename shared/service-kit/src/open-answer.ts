import type { Actor, KnownInteraction } from "@interlude/domain";
import { openAnswer } from "@interlude/secrets";
import { z } from "zod";
import type { AnswerKeys } from "./answer-keys.ts";
import { type OpenedAnswer, renderResult, type Result } from "./render-result.ts";

export type ResultOutcome =
  | { kind: "result"; result: Result }
  | { kind: "pending" }
  | { kind: "refused"; code: "not_found" | "forbidden" }
  /** A sensitive answer whose key is gone: acknowledged, or its time is over. */
  | { kind: "shredded" };

/** The end of a question for one who may read its result; a sealed answer is opened for its asker alone. */
export async function resultFor(
  keys: AnswerKeys,
  state: KnownInteraction,
  actor: Actor,
): Promise<ResultOutcome> {
  if (state.status !== "answered") return rendered(state, undefined);
  const { answer, sealed, params } = state.answered;
  if (sealed === undefined) {
    return rendered(state, { answer: answer ?? null, ...(params === undefined ? {} : { params }) });
  }
  if (actor.kind !== "subject" || actor.subject !== state.asked.asker)
    return { kind: "refused", code: "forbidden" };
  const opened = await openSealed(keys, state.asked.interaction_id, sealed);
  return opened === undefined ? { kind: "shredded" } : rendered(state, opened);
}

const Opened = z.object({ answer: z.json(), params: z.record(z.string(), z.string()).optional() });

async function openSealed(keys: AnswerKeys, id: string, sealed: string): Promise<OpenedAnswer | undefined> {
  const key = await keys.read(id);
  const plaintext = key === undefined ? undefined : openAnswer(key, sealed, id);
  if (plaintext === undefined) return undefined;
  const { answer, params } = Opened.parse(JSON.parse(plaintext));
  return { answer, ...(params === undefined ? {} : { params }) };
}

function rendered(state: KnownInteraction, opened: OpenedAnswer | undefined): ResultOutcome {
  const result = renderResult(state, opened);
  return result === undefined ? { kind: "pending" } : { kind: "result", result };
}
