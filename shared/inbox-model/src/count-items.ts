import type { ListQuery } from "@interlude/contract";
import type { Sql } from "@interlude/postgres";
import { candidates } from "./candidates.ts";
import { isSeen, type Sight } from "./reader.ts";

/** With filters beside status and visibility, a total counts as far as this. */
const COUNT_LIMIT = 10_000;

export type Total = { total: number; truncated: boolean };

export function countItems(sql: Sql, query: ListQuery, sight: Sight, nowMs: number): Promise<Total> {
  const { answer_format, channel, group_id, audience, asker, q } = query;
  const isFiltered = [answer_format, channel, group_id, audience, asker, q].some(
    (filter) => filter !== undefined,
  );
  return isFiltered ? countFiltered(sql, query, sight, nowMs) : countKept(sql, query, sight, nowMs);
}

/** From the counters, moved by what the clock has ended and the log has not yet. */
async function countKept(sql: Sql, query: ListQuery, sight: Sight, nowMs: number): Promise<Total> {
  const ofStatus = query.status === "all" ? sql`true` : sql`status = ${query.status}`;
  const seen = isSeen(sql, sight);
  const sign = query.status === "pending" ? -1 : query.status === "expired" ? 1 : 0;
  const overdue =
    sign === 0
      ? sql`0::bigint`
      : sql`(select count(*) from interactions
          where status = 'pending' and deadline_ms <= ${Math.floor(nowMs)} and ${seen})`;
  const [row] = await sql<{ kept: number; overdue: number }[]>`
    select ${overdue} as overdue,
      (select coalesce(sum(count), 0)::bigint from interaction_counters where ${ofStatus} and ${seen}) as kept`;
  return { total: (row?.kept ?? 0) + sign * (row?.overdue ?? 0), truncated: false };
}

async function countFiltered(sql: Sql, query: ListQuery, sight: Sight, nowMs: number): Promise<Total> {
  const limit = COUNT_LIMIT + 1;
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from (
      select from (${candidates(sql, { query, sight, nowMs, limit })}) found limit ${limit}) counted`;
  const count = row?.count ?? 0;
  return { total: Math.min(count, COUNT_LIMIT), truncated: count > COUNT_LIMIT };
}
