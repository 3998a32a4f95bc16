import { EXPIRED_MARKER } from "@interlude/contract";
import type { KnownInteraction } from "@interlude/domain";
import { type Json, unreachable } from "@interlude/kernel";

/** What an asker gets when the question is over; `undefined` while it is open. */
export type Result =
  | {
      interaction_id: string;
      status: "answered";
      answer: Json;
      params?: Readonly<Record<string, string>>;
      answered_by: string;
      answered_at: string;
    }
  | { interaction_id: string; status: "expired"; answer: Json; at: string }
  | { interaction_id: string; status: "cancelled"; reason?: string; at: string }
  | { interaction_id: string; status: "failed"; reason: string; at: string };

/** `answer` and `params` of an answered question, opened if it is a sealed one. */
export type OpenedAnswer = { answer: Json; params?: Readonly<Record<string, string>> };

export function renderResult(state: KnownInteraction, opened: OpenedAnswer | undefined): Result | undefined {
  const { interaction_id } = state.asked;
  switch (state.status) {
    case "pending":
      // Even past the deadline: an answer accepted a moment before may still be landing, and the log decides.
      return undefined;
    case "answered": {
      const { answered_by, at } = state.answered;
      const answer = opened?.answer ?? null;
      const params = opened?.params === undefined ? {} : { params: opened.params };
      return { interaction_id, status: "answered", answer, ...params, answered_by, answered_at: at };
    }
    case "expired":
      return { interaction_id, status: "expired", answer: EXPIRED_MARKER, at: state.asked.timeout_at };
    case "cancelled": {
      const { reason, at } = state.cancelled;
      return { interaction_id, status: "cancelled", ...(reason === undefined ? {} : { reason }), at };
    }
    case "failed":
      return { interaction_id, status: "failed", reason: state.failed.reason, at: state.failed.at };
    default:
      return unreachable(state);
  }
}
