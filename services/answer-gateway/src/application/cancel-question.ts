import {
  type Actor,
  authorize,
  type Interaction,
  type InteractionRefusal,
  type KnownInteraction,
} from "@interlude/domain";
import { handleCommand, type InteractionStore, type TraceContext } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";
import { actorName } from "./actor-name.ts";

export type CancelRequest = { id: string; actor: Actor; reason?: string; trace?: TraceContext };

export type CancelOutcome =
  | { ok: true; state: KnownInteraction; sequence: number }
  | { ok: false; refused: { code: "not_found" } | { code: "forbidden" } }
  | { ok: false; refusal: InteractionRefusal };

/** Withdraws a question; its asker or an operator may. */
export async function cancelQuestion(
  deps: { store: InteractionStore; clock: Clock },
  { id, actor, reason, trace }: CancelRequest,
): Promise<CancelOutcome> {
  const command = {
    type: "Cancel",
    cancelledBy: actorName(actor),
    ...(reason === undefined ? {} : { reason }),
    nowMs: deps.clock.nowMs(),
  } as const;
  return handleCommand(deps.store, id, command, () => deps.clock.nowMs(), {
    before: (state) => refuseActor(state, actor),
    ...(trace === undefined ? {} : { trace }),
  });
}

function refuseActor(state: Interaction, actor: Actor) {
  if (state.status === "unasked") return { code: "not_found" } as const;
  const verdict = authorize(actor, "cancel", state.asked);
  if (verdict === "allowed") return undefined;
  return { code: verdict === "hidden" ? ("not_found" as const) : ("forbidden" as const) };
}
