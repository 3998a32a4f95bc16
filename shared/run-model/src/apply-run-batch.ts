import { moveCursor, type Transaction } from "@interlude/postgres";
import { countEnds, insertAsked, reopen } from "./apply-asks.ts";
import { changeParks, insertParks, insertTurns, supersede } from "./apply-parks.ts";
import { parkKey, type RunBatch } from "./fold-run-batch.ts";
import { type ParkRecord, type ParkRow, parkRow } from "./park-row.ts";
import { CURSORS, PROJECTED_CHANNEL } from "./positions.ts";

/**
 * Writes a batch and both cursors in the caller's transaction. Answers the parks whose last question it has
 * ended and that nobody has asked to resume: each park comes once, and `readyParks` has those whose
 * request was lost after the commit.
 * `undefined`: a cursor is not where the batch begins (another writer, a rebuild), so roll back and read them.
 */
export async function applyRunBatch(tx: Transaction, batch: RunBatch): Promise<ParkRow[] | undefined> {
  // The cursors go first: their row locks let one writer at a time go on, and a rebuild waits for it too.
  const moved = [
    moveCursor(tx, CURSORS.interactions, batch.from.interactions, batch.to.interactions),
    moveCursor(tx, CURSORS.runs, batch.from.runs, batch.to.runs),
  ];
  // Everything below is sent without waiting for what stands before it; the server runs it in this order.
  // Ends are counted in parks that stand before new ones come: these count for themselves.
  const asks = [reopen(tx, batch.asked), insertAsked(tx, batch.asked)];
  const emptied = countEnds(tx, batch);
  const born = insertParks(tx, batch.parked);
  const rest = [
    insertTurns(tx, batch.turns),
    changeParks(tx, batch.changed),
    supersede(tx, [...batch.parked, ...batch.turns]),
    notify(tx, batch.to.runs),
  ];
  const [isMoved, ready] = await Promise.all([
    Promise.all(moved),
    Promise.all([emptied, born]),
    Promise.all([...asks, ...rest]),
  ]);
  return isMoved.every(Boolean) ? readyOf(ready.flat(), batch) : undefined;
}

/** After any change a park is no longer merely parked. */
function readyOf(records: readonly ParkRecord[], batch: RunBatch): ParkRow[] {
  const changed = new Set(batch.changed.map(({ address }) => parkKey(address)));
  return records.map(parkRow).filter((park) => !changed.has(parkKey(park)));
}

async function notify(tx: Transaction, sequence: number): Promise<void> {
  await tx`select pg_notify(${PROJECTED_CHANNEL}, ${String(sequence)})`;
}
