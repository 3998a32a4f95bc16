import type { InteractionEvent } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";
import { type Interaction, type InteractionRefusal, UNASKED } from "./interaction.ts";

/** Total: an event that cannot follow the state (a second end, an end of nothing) changes nothing. */
export function evolve(state: Interaction, event: InteractionEvent): Interaction {
  if (event.type === "asked")
    return state.status === "unasked" ? { status: "pending", asked: event.data } : state;
  if (state.status !== "pending") return state;

  switch (event.type) {
    case "answered":
      return { status: "answered", asked: state.asked, answered: event.data };
    case "expired":
      return { status: "expired", asked: state.asked, expired: event.data };
    case "cancelled":
      return { status: "cancelled", asked: state.asked, cancelled: event.data };
    case "failed":
      return { status: "failed", asked: state.asked, failed: event.data };
    default:
      return unreachable(event);
  }
}

/** One entry of a history: the event, or the type of one that this process does not know. */
export type HistoryEntry = InteractionEvent | { unknownType: string };

export type Folded = { ok: true; state: Interaction } | { ok: false; refusal: InteractionRefusal };

/** Folds a history in log order. An unknown event is a refusal: deciding past it could overrule it. */
export function fold(history: readonly HistoryEntry[]): Folded {
  let state = UNASKED;
  for (const entry of history) {
    if ("unknownType" in entry) {
      return {
        ok: false,
        refusal: { code: "unavailable", reason: `unknown event type ${entry.unknownType}` },
      };
    }
    state = evolve(state, entry);
  }
  return { ok: true, state };
}
