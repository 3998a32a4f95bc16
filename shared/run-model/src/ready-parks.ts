import type { Database } from "@interlude/postgres";
import { parkColumns, type ParkRecord, type ParkRow, parkRow } from "./park-row.ts";

/**
 * Parks whose questions have all ended and whose resume the model has not seen requested, oldest first, after
 * the one with the given `parkSeq`: what is to be requested again on start and now and then.
 * @throws ServiceFailure `database_unavailable`
 */
export async function readyParks(database: Database, limit: number, after = 0): Promise<ParkRow[]> {
  const records = await database.run(
    (sql) => sql<ParkRecord[]>`
      select ${parkColumns(sql)} from parks p
      where p.state = 'parked' and p.remaining = 0 and p.park_seq > ${after}
      order by p.park_seq limit ${limit}`,
  );
  return records.map(parkRow);
}
