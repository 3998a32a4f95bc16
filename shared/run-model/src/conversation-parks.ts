import type { Database, Fragment, Queries } from "@interlude/postgres";

/** As the log has it, and as the index of it says: a conversation's runs have its token, whatever their driver. */
export function isConversation(sql: Queries, row: "o" | "p"): Fragment {
  return row === "o"
    ? sql`length(o.run_token) = 45 and left(o.run_token, 2) = 'c_'`
    : sql`length(p.run_token) = 45 and left(p.run_token, 2) = 'c_'`;
}

/**
 * The drivers that have something to resume in these conversations, named by the tokens of their runs.
 * @throws ServiceFailure `database_unavailable`
 */
export async function driversInConversations(
  database: Database,
  runTokens: readonly string[],
): Promise<string[]> {
  const rows = await database.run(
    (sql) => sql<{ driver: string }[]>`
      select distinct p.driver from parks p
      where p.state = 'resuming' and ${isConversation(sql, "p")} and p.run_token = any(${[...runTokens]}::text[])`,
  );
  return rows.map(({ driver }) => driver);
}
