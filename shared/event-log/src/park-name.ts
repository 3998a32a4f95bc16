import { ServiceFailure } from "@interlude/kernel";
import { directGet } from "./direct-get.ts";
import type { Log } from "./connect.ts";
import { lastMessage } from "./media-objects.ts";
import { readStoredRun, type StoredRunEntry } from "./read-stored-run.ts";
import { type ParkAddress, runEventFilter } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

const BATCH = 256;
const MAX_ATTEMPTS = 20;

/**
 * Whether another park of the run is shown under this id. Looks through the run's parks up to the last one that
 * the leader has, and only for who chose the id: one made of the set of questions is free by itself.
 */
export async function isNameTaken(log: Log, address: ParkAddress, parkId: string): Promise<boolean> {
  if (parkId === address.parkToken) return false;
  const filter = runEventFilter("parked", address);
  const last = await lastMessage(log, STREAMS.runs, filter);
  let position = 0;
  for (let attempt = 1; position < (last?.seq ?? 0); attempt++) {
    const parks = await readFrom(log, filter, position + 1);
    if (parks.some((park) => isShownAs(park, parkId) && park.address.parkToken !== address.parkToken)) {
      return true;
    }
    if (parks.length > 0) attempt = 0;
    else if (attempt >= MAX_ATTEMPTS) throw unavailable();
    // Whoever answered may lag behind the leader.
    else await new Promise((resolve) => setTimeout(resolve, 5 * attempt));
    position = parks.at(-1)?.sequence ?? position;
  }
  return false;
}

function isShownAs({ entry }: StoredRunEntry, parkId: string): boolean {
  return "type" in entry && entry.data.park_id === parkId;
}

async function readFrom(log: Log, filter: string, sequence: number): Promise<StoredRunEntry[]> {
  const query = { seq: sequence, batch: BATCH, next_by_subj: filter };
  return (await directGet(log, STREAMS.runs, query)).map(readStoredRun);
}

function unavailable(): ServiceFailure {
  return new ServiceFailure("log_unavailable", { retry: "later" });
}
