import type { Database } from "@interlude/postgres";

/** Those of these questions that are open. @throws ServiceFailure `database_unavailable` */
export async function pendingAsks(database: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const records = await database.run(
    (sql) => sql<{ interaction_id: string }[]>`
      select interaction_id from run_asks where interaction_id = any(${[...ids]}::text[]) and status = 'pending'`,
  );
  return new Set(records.map((record) => record.interaction_id));
}
