import { type Item, itemQuestion } from "@interlude/contract";
import { type Actor, authorize, deadlineMs, deliveryView, type KnownInteraction } from "@interlude/domain";
import { unreachable } from "@interlude/kernel";
import { type CallbackLinks, externalLink } from "@interlude/service-kit";

/** One question for one reader: as it stands at `nowMs`, with the external link only for who may answer. */
export function renderItem(
  state: KnownInteraction,
  sequence: number,
  reader: Actor,
  nowMs: number,
  links: CallbackLinks,
): Item {
  const question = itemQuestion(state.asked);
  const url = state.asked.answer_format === "external" ? linkFor(reader, state, links) : undefined;
  return {
    ...question,
    format_payload: url === undefined ? question.format_payload : { ...question.format_payload, url },
    ...(question.channel === undefined ? {} : { delivery: deliveryView(state.delivery) }),
    sequence,
    ...endOf(state, nowMs),
  };
}

function linkFor(reader: Actor, state: KnownInteraction, links: CallbackLinks): string | undefined {
  const mayAnswer = authorize(reader, "answer", state.asked) === "allowed";
  return mayAnswer && state.status === "pending" ? externalLink(links, state.asked) : undefined;
}

type End = Pick<Item, "status"> & Partial<Pick<Item, "resolved_at" | "answered_by" | "answer">>;

function endOf(state: KnownInteraction, nowMs: number): End {
  switch (state.status) {
    case "pending":
      // Past its deadline a question is over, whether or not the event has landed.
      return nowMs < deadlineMs(state.asked)
        ? { status: "pending" }
        : { status: "expired", resolved_at: state.asked.timeout_at };
    case "answered": {
      const { at, answered_by, answer } = state.answered;
      return {
        status: "answered",
        resolved_at: at,
        answered_by,
        ...(answer === undefined ? {} : { answer }),
      };
    }
    case "expired":
      return { status: "expired", resolved_at: state.expired.at };
    case "cancelled":
      return { status: "cancelled", resolved_at: state.cancelled.at };
    case "failed":
      return { status: "failed", resolved_at: state.failed.at };
    default:
      return unreachable(state);
  }
}
