import { randomUUID } from "node:crypto";
import type { ConversationEvent } from "@interlude/contract";
import { foldConversation, isOfQueue } from "@interlude/domain";
import type { ConversationStore, StoredConversationEntry, ThreadAddress } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";

/** The last questions that have gone stay known: what is said or tapped late may be to them. */
const REMEMBERED = 100;
/** Events of questions that a conversation may have beside those of its open ones before it is tidied. */
const TIDY_ABOVE = REMEMBERED + 60;

/** Whether so many events of questions are worth tidying: as many come again before the next time. */
export function isUntidy(events: number, open: number): boolean {
  return events > TIDY_ABOVE + 2 * open;
}

/**
 * Forgets the questions that have gone, but for the last: those keep whoever was paused from storing on what it knew.
 * The open ones are told again behind everything, in their order, so that one that is open for long holds up nothing.
 * Cut off anywhere, no question that has gone looks open.
 */
export async function tidyQueue(store: ConversationStore, place: ThreadAddress, clock: Clock): Promise<void> {
  const { entries, position } = await store.read(place);
  let last = position;
  for (const event of openOf(entries)) {
    const write = { eventId: randomUUID(), nowMs: clock.nowMs() };
    const outcome = await store.append(event, place, last, write);
    // Somebody else stores here: another time.
    if (outcome.status !== "appended") return;
    last = outcome.sequence;
  }
  await store.forget(place, "queued", position);
  const closed = entries.filter(({ entry }) => "type" in entry && entry.type === "closed");
  await store.forget(place, "closed", closed.at(-REMEMBERED - 1)?.sequence ?? 0);
}

function openOf(entries: readonly StoredConversationEntry[]): ConversationEvent[] {
  const events = entries.flatMap(({ entry }) => ("type" in entry && isOfQueue(entry) ? [entry] : []));
  const queued = new Map(
    events.flatMap((event) => (event.type === "queued" ? [[event.data.interaction_id, event]] : [])),
  );
  return foldConversation(events).open.flatMap((id) => queued.get(id) ?? []);
}
