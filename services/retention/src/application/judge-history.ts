import { END_TYPES } from "@interlude/contract";
import type { StoredEntry } from "@interlude/event-log";

/** What of a history may go: everything up to `upTo`. */
export type Judged =
  | { isOver: true; upTo: number; removed: readonly StoredEntry[] }
  | { isOver: false; because: "open" | "young" | "unknown" };

/**
 * What retention takes of an interaction's whole history, oldest event first: a question that ended before
 * `beforeMs`, and the end of one whose purge was cut off, even when its id has been asked again since. A history
 * with an event that this process does not know is for a newer one to judge.
 */
export function judgeHistory(history: readonly StoredEntry[], beforeMs: number): Judged {
  if (history.some(({ entry }) => "unknownType" in entry)) return { isOver: false, because: "unknown" };
  const askedAt = history.findLastIndex((stored) => typeOf(stored) === "asked");
  const end = history.slice(askedAt + 1).find(isEnd);
  const removed = end === undefined ? history.slice(0, Math.max(0, askedAt)) : history;
  const last = removed.at(-1);
  if (last === undefined) return { isOver: false, because: "open" };
  if ((end ?? last).storedAtMs >= beforeMs) return { isOver: false, because: "young" };
  return { isOver: true, upTo: last.sequence, removed };
}

export function isEnd(stored: StoredEntry): boolean {
  return END_TYPES.some((type) => type === typeOf(stored));
}

function typeOf({ entry }: StoredEntry): string | undefined {
  return "type" in entry ? entry.type : undefined;
}
