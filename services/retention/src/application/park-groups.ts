import { foldPark, type Park } from "@interlude/domain";
import type { ParkAddress, StoredRunEntry } from "@interlude/event-log";

/** One park of a run, with all that is stored of it. */
export type ParkGroup = Readonly<{
  address: ParkAddress;
  entries: readonly StoredRunEntry[];
  interactionIds: readonly string[];
  /** What was said in a conversation: it waits for no question. */
  isTurn: boolean;
  /** It has been resumed, or is what an interrupted purge has left. One that failed can be replayed, and is not over. */
  isOver: boolean;
  last: StoredRunEntry;
}>;

/** A run's events, oldest first, by its parks. */
export function parkGroups(entries: readonly StoredRunEntry[]): ParkGroup[] {
  const byPark = new Map<string, StoredRunEntry[]>();
  for (const entry of entries) {
    const known = byPark.get(entry.address.parkToken);
    if (known === undefined) byPark.set(entry.address.parkToken, [entry]);
    else known.push(entry);
  }
  return [...byPark.values()].flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) return [];
    const interactionIds = group.flatMap(({ entry }) =>
      "type" in entry && entry.type === "parked" ? entry.data.interaction_ids : [],
    );
    const isTurn = group.every(({ entry }) => !("type" in entry) || entry.type !== "parked");
    return [{ address: first.address, entries: group, interactionIds, isTurn, isOver: isOver(group), last }];
  });
}

function isOver(entries: readonly StoredRunEntry[]): boolean {
  const folded = foldPark(
    entries.map(({ sequence, entry }) =>
      "type" in entry ? { sequence, event: entry } : { sequence, unknownType: entry.unknownType },
    ),
  );
  if (!folded.ok) return false;
  const over: Park["status"][] = ["resumed", "unparked"];
  return over.includes(folded.park.status);
}
