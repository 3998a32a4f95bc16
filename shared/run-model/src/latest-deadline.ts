import type { Database } from "@interlude/postgres";

/**
 * The latest deadline of a driver's open async questions: a retention that ends before it would lose the
 * checkpoint that waits for it. `undefined`: none is open.
 * @throws ServiceFailure `database_unavailable`
 */
export async function latestDeadlineMs(database: Database, driver: string): Promise<number | undefined> {
  const [row] = await database.run(
    (sql) => sql<{ deadline_ms: number }[]>`
      select deadline_ms from run_asks where driver = ${driver} and status = 'pending'
      order by deadline_ms desc limit 1`,
  );
  return row?.deadline_ms;
}
