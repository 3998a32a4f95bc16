import { type InteractionEvent, isDeliveryEvent } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";
import { evolveDelivery } from "./delivery.ts";
import { type Interaction, type InteractionRefusal, UNASKED } from "./interaction.ts";

/** Total: an event that cannot follow the state (a second end, an end of nothing) changes nothing. */
export function evolve(state: Interaction, event: InteractionEvent): Interaction {
  if (event.type === "asked")
    return state.status === "unasked" ? { status: "pending", asked: event.data } : state;
  if (state.status === "unasked") return state;
  if (isDeliveryEvent(event)) return { ...state, delivery: evolveDelivery(state.delivery, event) };
  if (state.status !== "pending") return state;

  switch (event.type) {
    case "answered":
      return { ...state, status: "answered", answered: event.data };
    case "expired":
      return { ...state, status: "expired", expired: event.data };
    case "cancelled":
      return { ...state, status: "cancelled", cancelled: event.data };
    case "failed":
      return { ...state, status: "failed", failed: event.data };
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
