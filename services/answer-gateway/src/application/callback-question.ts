import { deadlineMs, fold, type KnownInteraction } from "@interlude/domain";
import type { InteractionStore } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { peekReservation, type Ticket } from "@interlude/secrets";

export type OpenOrAnswered = Extract<KnownInteraction, { status: "pending" | "answered" }>;

/** What a proven ticket leads to. `early`: to a reservation whose question has not been asked yet. */
export type CallbackTarget =
  { kind: "question"; state: OpenOrAnswered } | { kind: "early" } | { kind: "none" };

const NONE: CallbackTarget = { kind: "none" };

/** @param ticket opened before: its id and nonce are this deployment's own. */
export async function findCallbackQuestion(
  store: InteractionStore,
  ticket: Ticket,
  nowMs: number,
): Promise<CallbackTarget> {
  const history = await store.readFresh(ticket.id);
  const folded = fold(history.entries.map((stored) => stored.entry));
  if (!folded.ok) {
    const context = { reason: folded.refusal.code };
    throw new ServiceFailure("event_unreadable", { retry: "later", context });
  }
  const { state } = folded;
  if (state.status === "unasked") return beforeTheAsk(ticket, nowMs);
  // The id may have been used again after a purge: the old question's ticket is no key to the new one.
  if (state.asked.ticket?.nonce !== ticket.nonce) return NONE;
  if (state.status === "answered") return { kind: "question", state };
  const isOpen = state.status === "pending" && nowMs < deadlineMs(state.asked);
  return isOpen ? { kind: "question", state } : NONE;
}

function beforeTheAsk({ id, nonce }: Ticket, nowMs: number): CallbackTarget {
  const reservation = peekReservation(id);
  const isLive = reservation?.nonce === nonce && nowMs < reservation.expiresAtMs;
  return isLive ? { kind: "early" } : NONE;
}
