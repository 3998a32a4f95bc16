import { fold, type InteractionCommand } from "@interlude/domain";
import { handleCommand, type History, type InteractionStore } from "@interlude/event-log";
import { type Clock, ServiceFailure } from "@interlude/kernel";
import { progressOf } from "../application/delivery-progress.ts";
import type { DeliveryRecord } from "../application/delivery-record.ts";

/** Questions on their way; the oldest is forgotten for a newer one, and then read again. */
const MAX_REMEMBERED = 500;

/**
 * What this worker has read and written of a question is remembered while it is on its way, so that each step of it
 * costs an append and no read. An append proves what it was decided on; a conflict, and every no, reads the log.
 */
function remembering(store: InteractionStore): InteractionStore {
  const known = new Map<string, History>();

  function keep(id: string, history: History): History {
    known.delete(id);
    known.set(id, history);
    const [oldest] = known.size > MAX_REMEMBERED ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return history;
  }

  return {
    ...store,
    read: async (id) => known.get(id) ?? (await store.read(id)),
    readFresh: async (id) => keep(id, await store.readFresh(id)),
    async append(event, address, position, write) {
      const before = known.get(address.id);
      known.delete(address.id);
      const outcome = await store.append(event, address, position, write);
      if (outcome.status === "appended" && before?.position === position) {
        const { sequence } = outcome;
        const stored = { sequence, storedAtMs: write.nowMs, eventId: write.eventId, address, entry: event };
        // As a read has it: the last event of each type.
        const others = before.entries.filter(
          ({ entry }) => "unknownType" in entry || entry.type !== event.type,
        );
        keep(address.id, { entries: [...others, stored], position: sequence });
      }
      return outcome;
    },
  };
}

/** Deliveries as events of their questions: each is decided on the log, so that of two workers one sends. */
export function loggedDeliveries(log: InteractionStore, worker: string, clock: Clock): DeliveryRecord {
  const store = remembering(log);
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
    goOn: (id, attempt, messageIds) =>
      decided(id, { type: "ContinueDelivery", attempt, worker, messageIds, nowMs: nowMs() }),
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
