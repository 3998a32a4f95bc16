import type { RunEvent, RunHistoryEntry, RunHistoryPage } from "@interlude/contract";
import type { StoredRunEntry } from "@interlude/event-log";

/** A run that has parked ten thousand times is told by its last entries. */
const MAX_ENTRIES = 200;

/** What happened to a run, oldest first. Renewed leases are no news, and what a newer process stored is not told. */
export function runHistory(entries: readonly StoredRunEntry[]): RunHistoryPage {
  const told = entries.flatMap(({ sequence, entry }) =>
    "unknownType" in entry ? [] : historyEntry(sequence, entry),
  );
  return { items: told.slice(-MAX_ENTRIES), truncated: told.length > MAX_ENTRIES };
}

function historyEntry(sequence: number, event: RunEvent): RunHistoryEntry[] {
  if (event.type === "renewed") return [];
  const { at, park_id } = event.data;
  return [{ sequence, type: event.type, at, park_id, ...detailsOf(event) }];
}

function detailsOf(event: Exclude<RunEvent, { type: "renewed" }>): Partial<RunHistoryEntry> {
  switch (event.type) {
    case "parked":
      return { questions: event.data.interaction_ids.length };
    case "turn_received":
      return { channel: event.data.turn.channel };
    case "resume_requested":
      return {};
    case "claimed":
      return { attempt: event.data.attempt };
    case "attempt_failed": {
      const { attempt, reason, retry_at } = event.data;
      return { attempt, reason, retry_at };
    }
    case "resumed":
      return event.data.parked === true ? { parked: true } : {};
    case "failed":
      return { attempt: event.data.attempt, reason: event.data.reason };
    case "replayed":
      return { by: event.data.by };
  }
}
