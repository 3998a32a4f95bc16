import type { AskedData } from "@interlude/contract";
import { parseInstant } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";
import type { InteractionRefusal, KnownInteraction } from "./interaction.ts";

/** The moment from which the question is over by the clock, in milliseconds of the log's clock. */
export function deadlineMs(asked: AskedData): number {
  return parseInstant(asked.timeout_at) ?? 0;
}

/** Why nothing can end this question any more; `undefined` while it is open. */
export function refusalOfEnded(state: KnownInteraction, nowMs: number): InteractionRefusal | undefined {
  switch (state.status) {
    case "pending":
      // The scheduler may be late: the deadline in the log wins over the timer that enforces it.
      return nowMs >= deadlineMs(state.asked) ? { code: "expired", at: state.asked.timeout_at } : undefined;
    case "answered":
      return {
        code: "already_answered",
        answeredBy: state.answered.answered_by,
        answeredAt: state.answered.at,
      };
    case "expired":
      return { code: "expired", at: state.asked.timeout_at };
    case "cancelled":
      return { code: "cancelled", at: state.cancelled.at };
    case "failed":
      return { code: "failed", at: state.failed.at, reason: state.failed.reason };
    default:
      return unreachable(state);
  }
}
