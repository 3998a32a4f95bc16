import type { Database } from "@interlude/postgres";
import { parkColumns, type ParkRecord, type ParkRow, parkRow } from "./park-row.ts";

/**
 * A run by its newest park, or by the one that is shown under `parkId`; `runToken` as in its subjects.
 * @throws ServiceFailure `database_unavailable`
 */
export async function getRun(
  database: Database,
  driver: string,
  runToken: string,
  parkId?: string,
): Promise<ParkRow | undefined> {
  const [record] = await database.run(
    (sql) => sql<ParkRecord[]>`
      select ${parkColumns(sql)} from parks p
      where p.driver = ${driver} and p.run_token = ${runToken}
        and ${parkId === undefined ? sql`not p.superseded` : sql`p.park_id = ${parkId}`}
      order by p.park_seq desc limit 1`,
  );
  return record === undefined ? undefined : parkRow(record);
}
