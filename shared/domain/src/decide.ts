import type { AnsweredData, AskedData, InteractionEvent } from "@interlude/contract";
import { accept, type Decision, refuse, unreachable } from "@interlude/kernel";
import { belonging } from "./belonging.ts";
import { decideDelivery, type DeliveryCommand, isDeliveryCommand } from "./decide-delivery.ts";
import { deadlineMs, refusalOfEnded } from "./ended.ts";
import type { Interaction, InteractionRefusal, KnownInteraction } from "./interaction.ts";

/** An answer as its door made it ready: validated, and sealed if the question is sensitive. */
export type AnswerContent = Pick<
  AnsweredData,
  "answer" | "sealed" | "params" | "answered_by" | "via" | "request"
>;

export type InteractionCommand =
  | { type: "Ask"; asked: AskedData }
  | { type: "Answer"; content: AnswerContent; nowMs: number }
  | { type: "Expire"; nowMs: number }
  | { type: "Cancel"; cancelledBy: string; reason?: string; nowMs: number }
  /** `delivery`: because it could not be brought to anybody. */
  | { type: "Fail"; reason: string; delivery?: true; nowMs: number }
  | DeliveryCommand;

export type InteractionDecision = Decision<InteractionEvent, InteractionRefusal>;

export function decide(command: InteractionCommand, state: Interaction): InteractionDecision {
  if (command.type === "Ask") return decideAsk(command.asked, state);
  if (state.status === "unasked") return refuse({ code: "not_found" });
  if (isDeliveryCommand(command)) return decideDelivery(command, state);

  switch (command.type) {
    case "Answer":
      return decideAnswer(command.content, command.nowMs, state);
    case "Expire":
      return decideExpire(command.nowMs, state);
    case "Cancel":
      return decideEnd(state, command.nowMs, {
        type: "cancelled",
        data: {
          ...belonging(state.asked, command.nowMs),
          cancelled_by: command.cancelledBy,
          ...(command.reason === undefined ? {} : { reason: command.reason }),
        },
      });
    case "Fail":
      return decideEnd(state, command.nowMs, {
        type: "failed",
        data: {
          ...belonging(state.asked, command.nowMs),
          reason: command.reason,
          ...(command.delivery === undefined ? {} : { delivery: command.delivery }),
        },
      });
    default:
      return unreachable(command);
  }
}

function decideAsk(asked: AskedData, state: Interaction): InteractionDecision {
  if (state.status === "unasked") return accept<InteractionEvent>({ type: "asked", data: asked });
  return isRepeatOf(state, asked) ? accept() : refuse({ code: "idempotency_conflict" });
}

/** The same subject asked the same under this id before: whatever became of it, nothing is asked twice. */
export function isRepeatOf(
  state: KnownInteraction,
  asked: Pick<AskedData, "asker" | "fingerprint">,
): boolean {
  return state.asked.asker === asked.asker && state.asked.fingerprint === asked.fingerprint;
}

function decideAnswer(content: AnswerContent, nowMs: number, state: KnownInteraction): InteractionDecision {
  if (state.status === "answered" && isSameRequest(content.request, state.answered.request)) return accept();
  return decideEnd(state, nowMs, {
    type: "answered",
    data: { ...belonging(state.asked, nowMs), ...content },
  });
}

function isSameRequest(now: AnswerContent["request"], then: AnsweredData["request"]): boolean {
  if (now === undefined || then === undefined) return false;
  return now.subject === then.subject && now.key === then.key && now.fingerprint === then.fingerprint;
}

function decideExpire(nowMs: number, state: KnownInteraction): InteractionDecision {
  // A second timer for an ended question is ordinary redelivery, not a refusal.
  if (state.status !== "pending") return accept();
  const dueAtMs = deadlineMs(state.asked);
  if (nowMs < dueAtMs) return refuse({ code: "not_due", dueAtMs });
  return accept<InteractionEvent>({ type: "expired", data: belonging(state.asked, nowMs) });
}

/** Whatever ends a question by a command may do so only while it is open, by the log and by the clock. */
function decideEnd(state: KnownInteraction, nowMs: number, event: InteractionEvent): InteractionDecision {
  const refusal = refusalOfEnded(state, nowMs);
  return refusal === undefined ? accept(event) : refuse(refusal);
}
