import { EXPIRED_MARKER, type Resolution } from "@interlude/contract";
import type { Interaction } from "@interlude/domain";
import type { ResultOutcome } from "@interlude/service-kit";

/** What of a question is not in the log any more, or was never answered readably, still has to end for its run. */
const GONE = "the question is no longer in the log";
const SHREDDED = "its sensitive answer is no longer kept";

/**
 * How a question of a park ended. `outcome`: what its asker may read of it. `undefined` while it is open, which a
 * park that has been released never holds.
 */
export function renderResolution(
  interactionId: string,
  state: Interaction,
  outcome: ResultOutcome | undefined,
  nowInstant: string,
): Resolution | undefined {
  if (state.status === "unasked") {
    return { interaction_id: interactionId, status: "failed", reason: GONE, at: nowInstant };
  }
  if (state.status === "pending") return undefined;
  const id = { interaction_id: interactionId };
  switch (state.status) {
    case "answered": {
      const { answered_by, at } = state.answered;
      const given = { ...id, status: "answered", answered_by, at } as const;
      if (outcome?.kind !== "result" || outcome.result.status !== "answered") {
        return { ...given, reason: SHREDDED };
      }
      const { answer, params } = outcome.result;
      return { ...given, answer, ...(params === undefined ? {} : { params: { ...params } }) };
    }
    case "expired":
      return { ...id, status: "expired", answer: EXPIRED_MARKER, at: state.asked.timeout_at };
    case "cancelled": {
      const { reason, at } = state.cancelled;
      return { ...id, status: "cancelled", ...(reason === undefined ? {} : { reason }), at };
    }
    case "failed":
      return { ...id, status: "failed", reason: state.failed.reason, at: state.failed.at };
  }
}
