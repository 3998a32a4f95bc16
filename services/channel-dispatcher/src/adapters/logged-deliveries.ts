import { fold, type InteractionCommand } from "@interlude/domain";
import { handleCommand, type InteractionStore } from "@interlude/event-log";
import { type Clock, ServiceFailure } from "@interlude/kernel";
import { progressOf } from "../application/delivery-progress.ts";
import type { DeliveryRecord } from "../application/delivery-record.ts";

/** Deliveries as events of their questions: each is decided on the log, so that of two workers one sends. */
export function loggedDeliveries(store: InteractionStore, worker: string, clock: Clock): DeliveryRecord {
  const nowMs = (): number => clock.nowMs();

  async function decided(id: string, command: InteractionCommand): Promise<boolean> {
    const handled = await handleCommand(store, id, command, nowMs);
    if (handled.ok) return handled.changed;
    if ("refusal" in handled && handled.refusal.code === "unavailable") {
      throw new ServiceFailure("event_unreadable", { retry: "never", message: handled.refusal.reason });
    }
    return false;
  }

  return {
    async read(id) {
      const history = await store.readFresh(id);
      const folded = fold(history.entries.map((stored) => stored.entry));
      if (!folded.ok) {
        const message = "reason" in folded.refusal ? folded.refusal.reason : folded.refusal.code;
        throw new ServiceFailure("event_unreadable", { retry: "never", message });
      }
      const { state } = folded;
      return state.status === "unasked" ? undefined : { state, delivery: progressOf(state) };
    },
    start: (id, attempt) => decided(id, { type: "StartDelivery", attempt, worker, nowMs: nowMs() }),
    async delivered(id, attempt, receipt) {
      await decided(id, { type: "RecordDelivered", receipt: { ...receipt, attempt }, nowMs: nowMs() });
    },
    async attemptFailed(id, attempt, { messageIds, ...failure }) {
      await decided(id, {
        type: "RecordDeliveryFailed",
        attempt,
        ...failure,
        ...(messageIds.length === 0 ? {} : { messageIds }),
        nowMs: nowMs(),
      });
    },
    async fail(id, reason) {
      await decided(id, { type: "Fail", reason, delivery: true, nowMs: nowMs() });
    },
  };
}
