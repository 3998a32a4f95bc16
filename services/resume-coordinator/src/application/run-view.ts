import type { RunView } from "@interlude/contract";
import { attemptsOf, type KnownPark, runStateOf } from "@interlude/domain";
import type { ParkRow } from "@interlude/run-model";

/** A run as the read model knows it. */
export function viewOfRow(row: ParkRow): RunView {
  const { driver, runId, parkId, state, remaining, attempts, reason } = row;
  return {
    driver,
    run_id: runId,
    park_id: parkId,
    state,
    remaining,
    attempts,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The same out of what a decision left: only for parks whose questions have all ended. */
export function viewOfReleased(park: KnownPark): RunView {
  const { driver, run_id, park_id } = park.parked;
  const state = runStateOf(park);
  return { driver, run_id, park_id, state, remaining: 0, attempts: attemptsOf(park) };
}
