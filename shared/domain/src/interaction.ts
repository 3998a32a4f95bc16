import type { AnsweredData, AskedData, CancelledData, ExpiredData, FailedData } from "@interlude/contract";
import type { Delivery } from "./delivery.ts";

/** What is known of every question: ended states keep it, doors show it. */
type Known = {
  asked: AskedData;
  /** Of a channel's question, once anything was tried. */
  delivery?: Delivery;
};

/** Everything a decider may know of one interaction. */
export type Interaction =
  | { status: "unasked" }
  | (Known & { status: "pending" })
  | (Known & { status: "answered"; answered: AnsweredData })
  | (Known & { status: "expired"; expired: ExpiredData })
  | (Known & { status: "cancelled"; cancelled: CancelledData })
  | (Known & { status: "failed"; failed: FailedData });

export type KnownInteraction = Exclude<Interaction, { status: "unasked" }>;

export const UNASKED: Interaction = { status: "unasked" };

/** Why the domain says no. The doors map each to a status; none is an exception. */
export type InteractionRefusal =
  | { code: "not_found" }
  | { code: "idempotency_conflict" }
  | { code: "already_answered"; answeredBy: string; answeredAt: string }
  | { code: "expired"; at: string }
  | { code: "cancelled"; at: string }
  | { code: "failed"; at: string; reason: string }
  | { code: "not_due"; dueAtMs: number }
  /** What a channel wanted to do with its question, or tell of it, is not to be. */
  | {
      code: "undeliverable";
      reason: "no_channel" | "delivered" | "given_up" | "another_attempt" | "unknown_message";
    }
  /** The history holds an event this process cannot read; a newer process must decide. */
  | { code: "unavailable"; reason: string };
