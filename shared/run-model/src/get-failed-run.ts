import type { Database } from "@interlude/postgres";
import { parkColumns, type ParkRecord, type ParkRow, parkRow } from "./park-row.ts";

/**
 * The newest park of a run whose resume has failed, whatever the run has parked since; `runToken` as in its subjects.
 * @throws ServiceFailure `database_unavailable`
 */
export async function getFailedRun(
  database: Database,
  driver: string,
  runToken: string,
): Promise<ParkRow | undefined> {
  const [record] = await database.run(
    (sql) => sql<ParkRecord[]>`
      select ${parkColumns(sql)} from parks p
      where p.driver = ${driver} and p.run_token = ${runToken} and p.state = 'failed'
      order by p.park_seq desc limit 1`,
  );
  return record === undefined ? undefined : parkRow(record);
}
