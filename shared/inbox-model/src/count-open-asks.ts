import type { Database } from "@interlude/postgres";
import { keyOf } from "./key-of.ts";
import { PROJECTION } from "./projection.ts";

/**
 * How many questions of a subject are open, by the log and not by the clock, and up to which position that
 * is so: the asker adds what it has asked since.
 */
export async function countOpenAsks(
  database: Database,
  subject: string,
  mode: "sync" | "async",
): Promise<{ count: number; sequence: number }> {
  const [row] = await database.run(
    (sql) => sql<{ count: number; sequence: number }[]>`
      select
        (select coalesce(sum(count), 0)::bigint from interaction_counters
          where asker = ${keyOf(subject)} and status = 'pending' and mode = ${mode}) as count,
        coalesce((select sequence from projection_cursors where name = ${PROJECTION}), 0)::bigint as sequence`,
  );
  return row ?? { count: 0, sequence: 0 };
}
