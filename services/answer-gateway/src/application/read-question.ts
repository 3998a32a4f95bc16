import { type Action, type Actor, authorize, fold, type KnownInteraction } from "@interlude/domain";
import type { History, InteractionStore } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";

export type ReadOutcome =
  { ok: true; state: KnownInteraction; sequence: number } | { ok: false; code: "not_found" | "forbidden" };

/** A question as every write acknowledged before shows it, if this actor may do `action` with it. */
export async function readQuestion(
  store: InteractionStore,
  id: string,
  actor: Actor,
  action: Action,
): Promise<ReadOutcome> {
  return judge(await store.readFresh(id), actor, action);
}

/** @throws ServiceFailure `event_unreadable` when the history holds what this process does not know. */
export function judge(history: History, actor: Actor, action: Action): ReadOutcome {
  const folded = fold(history.entries.map((stored) => stored.entry));
  if (!folded.ok) {
    throw new ServiceFailure("event_unreadable", {
      retry: "later",
      context: { reason: folded.refusal.code },
    });
  }
  const { state } = folded;
  if (state.status === "unasked") return { ok: false, code: "not_found" };
  const verdict = authorize(actor, action, state.asked);
  if (verdict === "allowed") return { ok: true, state, sequence: history.position };
  return { ok: false, code: verdict === "hidden" ? "not_found" : "forbidden" };
}
