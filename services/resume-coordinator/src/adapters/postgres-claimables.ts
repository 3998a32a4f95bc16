import type { Database } from "@interlude/postgres";
import { listRuns, nextAvailableAt, type ParkRow, pickClaimable } from "@interlude/run-model";
import type { Claimables } from "../application/claim-desk.ts";

/** Claims are stored while the rows are held, so that no other process is given them in between. */
const CLAIM_WITHIN_MS = 20_000;
const PAGE = 200;

export function createPostgresClaimables(database: Database): Pick<Claimables, "pick" | "nextAtMs"> {
  return {
    pick: ({ except, ...wanted }, use) =>
      database.transaction(async (tx) => {
        const rows = await pickClaimable(tx, { ...wanted, justClaimed: except });
        if (rows.length > 0) await use(rows);
        return rows.length;
      }, CLAIM_WITHIN_MS),
    nextAtMs: (driver, nowMs) => nextAvailableAt(database, driver, nowMs),
  };
}

/** A subject's parks that are to be resumed, some at a time. */
export async function* resumingOf(database: Database, owner: string): AsyncGenerator<readonly ParkRow[]> {
  let cursor: string | undefined;
  do {
    const page = await listRuns(database, {
      owner,
      state: "resuming",
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (!page.ok) return;
    yield page.value.items;
    cursor = page.value.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
