import { CAPS, type FieldFault, type ListQuery, type Parsed } from "@interlude/contract";
import type { Database, Sql } from "@interlude/postgres";
import { candidates } from "./candidates.ts";
import { countItems } from "./count-items.ts";
import { type Position, readCursorText, writeCursor } from "./list-cursor.ts";
import { orderOf } from "./list-conditions.ts";
import { type ItemRow, type ListedItem, listedItem } from "./listed-item.ts";
import { type Reader, type Sight, sightOf } from "./reader.ts";

/** One page of a list; `page` and `next_page` are null where a cursor was followed. */
export type ListPage = {
  items: ListedItem[];
  total: number;
  page: number | null;
  page_size: number;
  next_page: number | null;
  next_cursor: string | null;
  truncated: boolean;
};

/** A reader is told rather than kept waiting by a Postgres that hangs; a list takes milliseconds. */
const LIST_WITHIN_MS = 3_000;

const BAD_CURSOR: FieldFault = {
  path: "cursor",
  message: "cursor must be a next_cursor of a list in the same order",
};

/**
 * One page of what the reader may see, by the clock `nowMs`. Following `next_cursor` shows every question
 * that stays in the list exactly once, whatever is asked or answered meanwhile; page numbers count from the
 * beginning each time, so they shift with the list, and a far one costs in proportion.
 * @throws ServiceFailure `database_unavailable`, `database_unfit`
 */
export async function listItems(
  database: Database,
  query: ListQuery,
  reader: Reader,
  nowMs: number,
): Promise<Parsed<ListPage>> {
  const after = query.cursor === undefined ? undefined : readCursorText(query.sort, query.cursor);
  if (query.cursor !== undefined && after === undefined) return { ok: false, faults: [BAD_CURSOR] };
  const sight = sightOf(reader);
  const [rows, total] = await database.run(
    (sql) => Promise.all([readRows(sql, query, sight, nowMs, after), countItems(sql, query, sight, nowMs)]),
    LIST_WITHIN_MS,
  );
  return { ok: true, value: { ...pageOf(rows, query, nowMs), ...total } };
}

async function readRows(
  sql: Sql,
  query: ListQuery,
  sight: Sight,
  nowMs: number,
  after: Position | undefined,
): Promise<ItemRow[]> {
  const offset = query.page === undefined ? 0 : (query.page - 1) * query.page_size;
  // One more than the page tells whether another one follows.
  const wanted = query.page_size + 1;
  const keys = candidates(sql, { query, sight, nowMs, after, limit: offset + wanted });
  const order = orderOf(sql, query.sort);
  return sql<ItemRow[]>`
    select seq_asked, seq_last, deadline_ms, status, resolved_ms, answered_by, answer, delivery, question, external
    from interactions where seq_asked in (
      select seq_asked from (${keys}) found order by ${order} limit ${wanted} offset ${offset})
    order by ${order}`;
}

function pageOf(
  rows: readonly ItemRow[],
  query: ListQuery,
  nowMs: number,
): Omit<ListPage, "total" | "truncated"> {
  const shown = rows.slice(0, query.page_size);
  const last = shown.at(-1);
  const goesOn = rows.length > query.page_size && last !== undefined;
  const nextPage = query.page === undefined || query.page >= CAPS.PAGE_MAX ? null : query.page + 1;
  return {
    items: shown.map((row) => listedItem(row, nowMs)),
    page: query.page ?? null,
    page_size: query.page_size,
    next_page: goesOn ? nextPage : null,
    next_cursor: goesOn
      ? writeCursor(query.sort, { sequence: last.seq_asked, deadlineMs: last.deadline_ms })
      : null,
  };
}
