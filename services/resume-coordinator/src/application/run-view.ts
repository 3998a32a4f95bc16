import { formatInstant, type RunView } from "@interlude/contract";
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
    ...(row.total === 0 ? { kind: "turn" as const } : {}),
    ...(reason === undefined ? {} : { reason }),
    owner: row.owner,
    total: row.total,
    parked_at: formatInstant(row.parkedAtMs),
    updated_at: formatInstant(row.updatedAtMs),
  };
}

/** The same out of what a decision left: only for parks whose questions have all ended. */
export function viewOfReleased(park: KnownPark): RunView {
  const { driver, run_id, park_id, owner, at: parked_at, interaction_ids } = park.parked;
  return {
    ...{ driver, run_id, park_id, state: runStateOf(park), remaining: 0, attempts: attemptsOf(park) },
    ...{ owner, total: interaction_ids.length, parked_at },
    ...(park.parked.turn === undefined ? {} : { kind: "turn" as const }),
  };
}
