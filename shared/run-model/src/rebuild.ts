import type { Database } from "@interlude/postgres";
import { CURSORS, PURGES } from "./positions.ts";

const REBUILD_WITHIN_MS = 60_000;

/** Empties the model; a running writer notices and reads both streams from their beginning. */
export async function rebuild(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // In the writer's order, cursors first, or the two could wait for each other.
    for (const name of [CURSORS.interactions, CURSORS.runs]) {
      await tx`
        insert into projection_cursors (name, sequence) values (${name}, 0)
        on conflict (name) do update set sequence = 0`;
    }
    await tx`delete from projection_cursors where name = ${PURGES}`;
    await tx`truncate parks, park_asks, run_asks`;
  }, REBUILD_WITHIN_MS);
}
