import { formatInstant } from "@interlude/contract";
import type { RunStore } from "@interlude/event-log";
import { type Clock, uuidV7 } from "@interlude/kernel";
import type { ParkRow } from "@interlude/run-model";

const AT_A_TIME = 64;

/** Asks for the resume of each: stored once, however often and by however many it is asked for. */
export async function releaseParks(
  runs: Pick<RunStore, "requestResume">,
  clock: Clock,
  parks: readonly ParkRow[],
): Promise<void> {
  for (let from = 0; from < parks.length; from += AT_A_TIME) {
    await Promise.all(parks.slice(from, from + AT_A_TIME).map((park) => requestResume(runs, clock, park)));
  }
}

async function requestResume(
  runs: Pick<RunStore, "requestResume">,
  clock: Clock,
  park: ParkRow,
): Promise<void> {
  const { driver, runToken, parkToken, runId, parkId, owner } = park;
  const nowMs = clock.nowMs();
  await runs.requestResume(
    { driver, run_id: runId, park_id: parkId, owner, at: formatInstant(nowMs) },
    { driver, runToken, parkToken },
    { eventId: uuidV7(nowMs), nowMs },
  );
}
