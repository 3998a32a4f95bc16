import type { Database } from "@interlude/postgres";
import { conversationKey } from "./key-of.ts";
import { PROJECTION } from "./projection.ts";

/** The questions that wait in one chat, and up to which position in the log that is so. */
export async function findQueuedAsks(
  database: Database,
  place: { channel: string; address: string },
  nowMs: number,
): Promise<{ ids: readonly string[]; sequence: number }> {
  const conversation = conversationKey(place.channel, place.address);
  const [row] = await database.run(
    (sql) => sql<{ ids: string[]; sequence: number }[]>`
      select
        (select coalesce(array_agg(interaction_id), '{}') from interactions
          where conversation = ${conversation} and status = 'pending' and deadline_ms > ${Math.floor(nowMs)}) as ids,
        coalesce((select sequence from projection_cursors where name = ${PROJECTION}), 0)::bigint as sequence`,
  );
  return row ?? { ids: [], sequence: 0 };
}
