import { type Actor, evolve } from "@interlude/domain";
import type { InteractionStore } from "@interlude/event-log";
import { type AnswerKeys, resultFor, type ResultOutcome, type Waiters } from "@interlude/service-kit";
import { readQuestion } from "./read-question.ts";

export type ResultDeps = { store: InteractionStore; waiters: Waiters; keys: AnswerKeys };

/** The question's end, waited for at most `waitMs`; woken by the stored event, never by polling. */
export async function readResult(
  deps: ResultDeps,
  request: { id: string; actor: Actor; waitMs: number; signal?: AbortSignal },
): Promise<ResultOutcome> {
  const { id, actor, waitMs, signal } = request;
  // Listening starts before the read, so that an end between the two is not missed.
  const listening = deps.waiters.listen(id);
  try {
    const first = await readQuestion(deps.store, id, actor, "read_result");
    if (!first.ok) return { kind: "refused", code: first.code };
    if (first.state.status !== "pending") return await resultFor(deps.keys, first.state, actor);
    if (waitMs <= 0) return { kind: "pending" };
    const ended = await listening.ended(waitMs, signal);
    if (ended === undefined) return { kind: "pending" };
    const state = "unknownType" in ended.entry ? first.state : evolve(first.state, ended.entry);
    return state.status === "unasked" ? { kind: "pending" } : await resultFor(deps.keys, state, actor);
  } finally {
    listening.stop();
  }
}
