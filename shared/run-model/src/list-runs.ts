import { type FieldFault, type Parsed, RUN_STATES, type RunState } from "@interlude/contract";
import type { Database, Fragment, Sql } from "@interlude/postgres";
import { parkColumns, type ParkRecord, type ParkRow, parkRow } from "./park-row.ts";
import { readCursorText, writeCursor } from "./run-cursor.ts";

export type RunFilter = {
  /** Only this subject's; without it everybody's. */
  owner?: string;
  state?: RunState;
  driver?: string;
  /** Only parks that wait or waited for this question. */
  interactionId?: string;
  cursor?: string;
  limit: number;
};

export type RunList = { items: ParkRow[]; nextCursor: string | null };

const BAD_CURSOR: FieldFault = { path: "cursor", message: "cursor must be a next_cursor of a list of runs" };

/**
 * One page of runs, newest park first: a run by its newest park, and by every older one that is not over, so
 * that no failed resume hides behind a later park; by question, each of its parks. Following the cursor shows
 * every park that stays in the list exactly once.
 * @throws ServiceFailure `database_unavailable`, `database_unfit`
 */
export async function listRuns(database: Database, filter: RunFilter): Promise<Parsed<RunList>> {
  const before = filter.cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursorText(filter.cursor);
  if (before === undefined) return { ok: false, faults: [BAD_CURSOR] };
  // One more than the page tells whether another one follows.
  const wanted = filter.limit + 1;
  const records = await database.run((sql) =>
    filter.interactionId === undefined
      ? readListed(sql, filter, before, wanted)
      : readParksOf(sql, filter, filter.interactionId, before, wanted),
  );
  const items = records.slice(0, filter.limit).map(parkRow);
  const last = items.at(-1);
  const goesOn = records.length > filter.limit && last !== undefined;
  return { ok: true, value: { items, nextCursor: goesOn ? writeCursor(last.parkSeq) : null } };
}

/** A part a state, each in the order of its index: without a state they are merged. */
function readListed(sql: Sql, filter: RunFilter, before: number, wanted: number): Promise<ParkRecord[]> {
  const states = filter.state === undefined ? RUN_STATES : [filter.state];
  const parts = states.map(
    (state) => sql`(
      select p.park_seq from parks p where ${isState(sql, state)} and ${isListed(sql, state)} and ${filters(sql, filter)}
        and p.park_seq < ${before}
      order by p.park_seq desc limit ${wanted})`,
  );
  const union = parts.reduce((left, right) => sql`${left} union all ${right}`);
  return sql<ParkRecord[]>`
    select ${parkColumns(sql)} from parks p
    where p.park_seq in (select park_seq from (${union}) found order by park_seq desc limit ${wanted})
    order by p.park_seq desc`;
}

function readParksOf(
  sql: Sql,
  filter: RunFilter,
  interactionId: string,
  before: number,
  wanted: number,
): Promise<ParkRecord[]> {
  const state = filter.state === undefined ? sql`true` : isState(sql, filter.state);
  return sql<ParkRecord[]>`
    select ${parkColumns(sql)} from park_asks a join parks p on p.park_seq = a.park_seq
    where a.interaction_id = ${interactionId} and a.park_seq < ${before} and ${state} and ${filters(sql, filter)}
    order by a.park_seq desc limit ${wanted}`;
}

function filters(sql: Sql, { owner, driver }: RunFilter): Fragment {
  const ofOwner = owner === undefined ? sql`true` : sql`p.owner = ${owner}`;
  return driver === undefined ? ofOwner : sql`p.driver = ${driver} and ${ofOwner}`;
}

/** The state stands in the text and not in a parameter: partial indexes are chosen by it. */
function isState(sql: Sql, state: RunState): Fragment {
  switch (state) {
    case "parked":
      return sql`p.state = 'parked'`;
    case "resuming":
      return sql`p.state = 'resuming'`;
    case "resumed":
      return sql`p.state = 'resumed'`;
    case "failed":
      return sql`p.state = 'failed'`;
  }
}

function isListed(sql: Sql, state: RunState): Fragment {
  return state === "resumed" ? sql`not p.superseded` : sql`true`;
}
