import { deadlineMs } from "@interlude/domain";
import { handleCommand, type InteractionStore } from "@interlude/event-log";
import { type Clock, ServiceFailure, unreachable } from "@interlude/kernel";

/** What came of a deadline. `gone`: the log's leader has no such question (any more). */
export type Expiry =
  { kind: "expired"; lateMs: number } | { kind: "over" | "gone" } | { kind: "not_due"; dueAtMs: number };

/**
 * Ends a question at its deadline by the decider, so that a late timer never beats a recorded answer. That there
 * is no such question is believed of the leader alone: a replica may only not have heard of it yet.
 * @throws ServiceFailure `event_unreadable` when a newer process must decide; `log_unavailable`
 */
export async function expireQuestion(store: InteractionStore, id: string, clock: Clock): Promise<Expiry> {
  const nowMs = clock.nowMs();
  const handled = await handleCommand(store, id, { type: "Expire", nowMs }, () => clock.nowMs());
  if (handled.ok) {
    if (!handled.changed) return { kind: "over" };
    return { kind: "expired", lateMs: nowMs - deadlineMs(handled.state.asked) };
  }
  if ("refused" in handled) return unreachable(handled.refused);
  const { refusal } = handled;
  if (refusal.code === "not_due") return { kind: "not_due", dueAtMs: refusal.dueAtMs };
  // Said after a fresh read: what is left is the timer of a question that was purged.
  if (refusal.code === "not_found") return { kind: "gone" };
  const context = { id, refusal: refusal.code };
  if (refusal.code !== "unavailable")
    throw new ServiceFailure("invariant_broken", { retry: "later", context });
  throw new ServiceFailure("event_unreadable", { retry: "later", context, message: refusal.reason });
}
