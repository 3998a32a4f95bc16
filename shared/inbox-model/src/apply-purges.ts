import { moveCursor, readCursor, type Transaction } from "@interlude/postgres";
import { PROJECTION, PURGES } from "./projection.ts";

/** What an entry of the audit stream says to the inbox; without `purged` it is of another kind. */
export type PurgeEntry = {
  sequence: number;
  purged?: { id: string; upTo: number } | undefined;
  /** The position that the rows must include before it is applied. */
  after: number;
};

/** `moved`: the position is not where it is expected; read it anew. */
export type AppliedPurges = { position: number; removed: number } | "moved";

/**
 * Removes the rows of purged questions in the caller's transaction: each entry once, by its own cursor, and not
 * before the rows include all that it removes, or a slower reader would write the row after it. A row that has
 * anything later is another question's, asked anew under the id. Answers how far it came.
 */
export async function applyPurges(
  tx: Transaction,
  entries: readonly PurgeEntry[],
  expected: number,
): Promise<AppliedPurges> {
  // The projector's cursor goes first, as everywhere: its lock keeps batches and a rebuild out.
  await tx`select from projection_cursors where name = ${PROJECTION} for update`;
  const projected = await readCursor(tx, PROJECTION);
  const blocked = entries.findIndex(({ after }) => after > projected);
  const due = blocked === -1 ? entries : entries.slice(0, blocked);
  const position = due.at(-1)?.sequence ?? expected;
  if (position === expected) return { position, removed: 0 };
  if (!(await moveCursor(tx, PURGES, expected, position))) return "moved";
  const purged = due.flatMap((entry) => (entry.purged === undefined ? [] : [entry.purged]));
  return { position, removed: await removeRows(tx, purged) };
}

async function removeRows(tx: Transaction, purged: readonly { id: string; upTo: number }[]): Promise<number> {
  if (purged.length === 0) return 0;
  const [row] = await tx<{ removed: number }[]>`
    with gone as (
      delete from interactions i
      using unnest(
        ${purged.map(({ id }) => id)}::text[],
        ${purged.map(({ upTo }) => upTo)}::bigint[]) as p (id, up_to)
      where i.interaction_id = p.id and i.seq_last <= p.up_to
      returning status, mode, audience, asker),
    counted as (
      insert into interaction_counters as c (status, mode, audience, asker, count)
      select status, mode, audience, asker, -count(*) from gone group by 1, 2, 3, 4
      on conflict (status, audience, asker, mode) do update set count = c.count + excluded.count)
    select count(*)::int as removed from gone`;
  await tx`delete from interaction_counters where count = 0`;
  return row?.removed ?? 0;
}
