import { formatInstant } from "@interlude/contract";
import type { InteractionStore, PurgeLog, Purger } from "@interlude/event-log";
import type { ParkGroup } from "./park-groups.ts";

export type PurgeRunsDeps = {
  store: Pick<InteractionStore, "readAll">;
  parksOf: (driver: string, runToken: string) => Promise<readonly ParkGroup[]>;
  purgeLog: PurgeLog;
  purger: Pick<Purger, "purgePark" | "resumedBefore">;
  nowMs: () => number;
  beforeMs: number;
  shouldStop: () => boolean;
};

/** Purges runs that are finished and whose last question has gone. Answers how many parks went. */
export async function purgeRuns(deps: PurgeRunsDeps): Promise<number> {
  const looked = new Set<string>();
  let purged = 0;
  for await (const { address } of deps.purger.resumedBefore(deps.beforeMs)) {
    if (deps.shouldStop()) return purged;
    const { driver, runToken } = address;
    const key = `${driver}.${runToken}`;
    if (looked.has(key)) continue;
    looked.add(key);
    const parks = await deps.parksOf(driver, runToken);
    const spent = (await isFinished(deps, parks)) ? parks : spentTurns(parks, deps.beforeMs);
    for (const park of spent) await purgePark(deps, park);
    purged += spent.length;
  }
  return purged;
}

/**
 * A conversation may go on for years: what was said long ago goes, but for the last, which says where replies go. While
 * something waits, none does: its reply is to what was said that it goes on from.
 */
function spentTurns(parks: readonly ParkGroup[], beforeMs: number): readonly ParkGroup[] {
  if (parks.some(({ isTurn, isOver }) => !isTurn && !isOver)) return [];
  const turns = parks.filter(({ isTurn }) => isTurn);
  return turns.slice(0, -1).filter(({ isOver, last }) => isOver && last.storedAtMs < beforeMs);
}

async function isFinished(deps: PurgeRunsDeps, parks: readonly ParkGroup[]): Promise<boolean> {
  if (parks.some(({ isOver, last }) => !isOver || last.storedAtMs >= deps.beforeMs)) return false;
  for (const { interactionIds, last } of parks) {
    for (const id of interactionIds) if (await isThere(deps, id, last.storedAtMs)) return false;
  }
  return true;
}

/** One that was asked after the park was resumed is another question under a purged one's id. */
async function isThere({ store }: PurgeRunsDeps, id: string, resumedAtMs: number): Promise<boolean> {
  const history = await store.readAll(id);
  return history.some(({ storedAtMs }) => storedAtMs <= resumedAtMs);
}

async function purgePark(deps: PurgeRunsDeps, park: ParkGroup): Promise<void> {
  const { driver, runToken, parkToken } = park.address;
  // Cut off in between, what it waited for is in the first telling, which then stands.
  await deps.purgeLog.tell({
    type: "park_purged",
    data: {
      driver,
      run_token: runToken,
      park_token: parkToken,
      sequence: park.last.sequence,
      interaction_ids: [...new Set(park.interactionIds)],
      at: formatInstant(deps.nowMs()),
    },
  });
  await deps.purger.purgePark(park.entries, park.last.sequence);
}
