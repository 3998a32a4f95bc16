import type { AnsweredData, AskedData, CancelledData, ExpiredData, FailedData } from "@interlude/contract";

/** Everything a decider may know of one interaction. Ended states keep the question: doors show it. */
export type Interaction =
  | { status: "unasked" }
  | { status: "pending"; asked: AskedData }
  | { status: "answered"; asked: AskedData; answered: AnsweredData }
  | { status: "expired"; asked: AskedData; expired: ExpiredData }
  | { status: "cancelled"; asked: AskedData; cancelled: CancelledData }
  | { status: "failed"; asked: AskedData; failed: FailedData };

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
  /** The history holds an event this process cannot read; a newer process must decide. */
  | { code: "unavailable"; reason: string };
