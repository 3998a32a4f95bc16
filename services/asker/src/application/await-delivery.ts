import { CAPS } from "@interlude/contract";
import { deliveryState, fold, type KnownInteraction } from "@interlude/domain";
import type { InteractionStore } from "@interlude/event-log";

/** Wakes at whatever happens to one question. */
export type Changes = { changed(withinMs: number, signal: AbortSignal): Promise<boolean> };

export type AwaitDeps = { store: InteractionStore; changes: Changes; signal: AbortSignal };

/** Waits until it is known what becomes of a channel's question, as long as a request may be held; as it stands then. */
export async function awaitDelivery(
  { store, changes, signal }: AwaitDeps,
  asked: KnownInteraction,
): Promise<KnownInteraction> {
  const untilMs = performance.now() + CAPS.WAIT_MAX_SECONDS * 1_000;
  let state = asked;
  while (isOnItsWay(state)) {
    const leftMs = untilMs - performance.now();
    if (!(await changes.changed(leftMs, signal))) return state;
    const history = await store.readFresh(state.asked.interaction_id);
    const folded = fold(history.entries.map((stored) => stored.entry));
    if (!folded.ok || folded.state.status === "unasked") return state;
    state = folded.state;
  }
  return state;
}

function isOnItsWay({ status, delivery }: KnownInteraction): boolean {
  if (status !== "pending") return false;
  const state = deliveryState(delivery);
  // One that has failed is about to end for it.
  return state === "queued" || state === "sending" || state === "failed";
}
