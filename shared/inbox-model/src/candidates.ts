import type { ListQuery } from "@interlude/contract";
import type { Fragment, Queries } from "@interlude/postgres";
import { conjunction, filtersOf, isAfter, orderOf, statusParts } from "./list-conditions.ts";
import type { Position } from "./list-cursor.ts";
import { isSeen, type Sight } from "./reader.ts";

export type Search = {
  query: ListQuery;
  sight: Sight;
  nowMs: number;
  after?: Position | undefined;
  /** Rows wanted at most, of the whole and hence of each part. */
  limit: number;
};

/**
 * The keys of the rows a list consists of: a union of parts, each of them read in the list's order from one
 * index and cut off at the limit. Unordered as a whole.
 */
export function candidates(sql: Queries, search: Search): Fragment {
  const { query, sight, nowMs, after, limit } = search;
  const common = conjunction(sql, [...filtersOf(sql, query), isAfter(sql, query.sort, after)]);
  const order = orderOf(sql, query.sort);
  const part = (condition: Fragment): Fragment => sql`
    (select seq_asked, deadline_ms from interactions where ${condition} and ${common} order by ${order} limit ${limit})`;

  const parts = statusParts(sql, query.status, nowMs).flatMap((status) => {
    if (sight.everything || !isSpread(query)) return [part(sql`${status} and ${isSeen(sql, sight)}`)];
    const audiences = [...sight.audiences];
    const addressed = sql`
      (select k.* from unnest(${audiences}::text[]) as mine (audience_key)
        cross join lateral ${part(sql`audience = audience_key and ${status}`)} k)`;
    if (sight.own === undefined) return [addressed];
    return [
      addressed,
      part(sql`asker = ${sight.own} and audience <> all(${audiences}::text[]) and ${status}`),
    ];
  });
  return parts.reduce((left, right) => sql`${left} union all ${right}`);
}

/**
 * Is the list best read audience by audience? One pass over everything would go through what others are
 * asked until it has found a page for the reader; a selective filter makes that short.
 */
function isSpread(query: ListQuery): boolean {
  const { group_id, audience, asker, q, sort } = query;
  return [group_id, audience, asker, q].every((filter) => filter === undefined) && sort !== "deadline";
}
