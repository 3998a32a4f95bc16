import type { Database } from "@interlude/postgres";
import { PROJECTION, PURGES } from "./projection.ts";

const REBUILD_WITHIN_MS = 60_000;

/** Empties the read model; a running projector notices and reads the log from its beginning. */
export async function rebuild(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // In the projector's order, cursor first, or the two could wait for each other.
    await tx`
      insert into projection_cursors (name, sequence) values (${PROJECTION}, 0)
      on conflict (name) do update set sequence = 0`;
    await tx`delete from projection_cursors where name = ${PURGES}`;
    await tx`truncate interactions, interaction_counters`;
  }, REBUILD_WITHIN_MS);
}
