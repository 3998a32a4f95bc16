import type { Queries } from "./sql.ts";

/**
 * How far a projection has got, kept in the transaction that writes its rows: effects happen exactly once,
 * even with two projectors. `projection_cursors` is made by `migrate`.
 */
export async function readCursor(sql: Queries, name: string): Promise<number> {
  const [row] = await sql<
    { sequence: number }[]
  >`select sequence from projection_cursors where name = ${name}`;
  return row?.sequence ?? 0;
}

/** Moves the cursor if it still is where it is expected; `false`: somebody else moved it, so roll back. */
export async function moveCursor(
  sql: Queries,
  name: string,
  expected: number,
  next: number,
): Promise<boolean> {
  const moved = await sql`
    insert into projection_cursors as c (name, sequence)
    select ${name}, ${next}::bigint where ${expected}::bigint = 0
      or exists (select from projection_cursors where name = ${name})
    on conflict (name) do update set sequence = excluded.sequence where c.sequence = ${expected}::bigint`;
  return moved.count === 1;
}
