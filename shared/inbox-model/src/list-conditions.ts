import type { ListQuery, ListStatus } from "@interlude/contract";
import type { Fragment, Queries } from "@interlude/postgres";
import { keyOf } from "./key-of.ts";
import type { Position } from "./list-cursor.ts";
import { searchQueryOf } from "./search-text.ts";

export function conjunction(sql: Queries, conditions: readonly Fragment[]): Fragment {
  return conditions.reduce((left, right) => sql`${left} and ${right}`, sql`true`);
}

/**
 * Which rows have the status by the clock, in parts that an index each can serve in order. The values stand
 * in the text and not in parameters: partial indexes are chosen by them.
 */
export function statusParts(sql: Queries, status: ListStatus, nowMs: number): Fragment[] {
  const clock = Math.floor(nowMs);
  switch (status) {
    case "pending":
      return [sql`status = 'pending' and deadline_ms > ${clock}`];
    case "expired":
      return [sql`status = 'expired'`, sql`status = 'pending' and deadline_ms <= ${clock}`];
    case "answered":
      return [sql`status = 'answered'`];
    case "cancelled":
      return [sql`status = 'cancelled'`];
    case "failed":
      return [sql`status = 'failed'`];
    case "all":
      return [sql`true`];
  }
}

/** The filters beside the status, each ready to be put together. */
export function filtersOf(sql: Queries, query: ListQuery): Fragment[] {
  return [
    ...(query.answer_format === undefined ? [] : [sql`answer_format = ${query.answer_format}`]),
    ...(query.channel === undefined ? [] : [sql`channel = ${keyOf(query.channel)}`]),
    ...(query.group_id === undefined ? [] : [sql`group_id = ${keyOf(query.group_id)}`]),
    ...(query.audience === undefined ? [] : [sql`audience = ${keyOf(query.audience)}`]),
    ...(query.asker === undefined ? [] : [sql`asker = ${keyOf(query.asker)}`]),
    ...(query.q === undefined ? [] : [sql`search @@ ${textQuery(sql, query.q)}`]),
  ];
}

/** Every word must occur, quotes hold words together, `-` excludes, and the last word may be begun only. */
function textQuery(sql: Queries, q: string): Fragment {
  const words = sql`websearch_to_tsquery('simple', ${searchQueryOf(q)})`;
  return sql`(case when right(${words}::text, 1) = '''' then (${words}::text || ':*')::tsquery else ${words} end)`;
}

export function isAfter(sql: Queries, sort: ListQuery["sort"], position: Position | undefined): Fragment {
  if (position === undefined) return sql`true`;
  switch (sort) {
    case "created_at":
      return sql`seq_asked > ${position.sequence}`;
    case "-created_at":
      return sql`seq_asked < ${position.sequence}`;
    case "deadline":
      return sql`(deadline_ms, seq_asked) > (${position.deadlineMs}::bigint, ${position.sequence}::bigint)`;
  }
}

export function orderOf(sql: Queries, sort: ListQuery["sort"]): Fragment {
  switch (sort) {
    case "created_at":
      return sql`seq_asked`;
    case "-created_at":
      return sql`seq_asked desc`;
    case "deadline":
      return sql`deadline_ms, seq_asked`;
  }
}
