import type { Database } from "@interlude/postgres";

/**
 * The drivers that have something to resume, now or later.
 * @throws ServiceFailure `database_unavailable`
 */
export async function resumingDrivers(database: Database): Promise<string[]> {
  const rows = await database.run(
    (sql) => sql<{ driver: string }[]>`select distinct driver from parks where state = 'resuming'`,
  );
  return rows.map(({ driver }) => driver);
}
