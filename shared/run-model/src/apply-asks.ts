import type { Transaction } from "@interlude/postgres";
import type { AskRow, RunBatch } from "./fold-run-batch.ts";
import { parkColumns, type ParkRecord } from "./park-row.ts";

/** A question asked again under the id of a purged one is open again to the parks that wait for it. */
export async function reopen(tx: Transaction, rows: readonly AskRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    with gone as (
      delete from run_asks where interaction_id = any(${rows.map((row) => row.id)}::text[])
      returning interaction_id, status),
    counted as (
      select a.park_seq, count(*)::int as by from gone g join park_asks a on a.interaction_id = g.interaction_id
      where g.status <> 'pending' group by 1)
    update parks p set remaining = p.remaining + c.by from counted c where p.park_seq = c.park_seq`;
}

export async function insertAsked(tx: Transaction, rows: readonly AskRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into run_asks (interaction_id, driver, deadline_ms, status, sequence)
    select * from unnest(
      ${rows.map((row) => row.id)}::text[],
      ${rows.map((row) => row.driver)}::text[],
      ${rows.map((row) => row.deadlineMs)}::bigint[],
      ${rows.map((row) => row.end ?? "pending")}::text[],
      ${rows.map((row) => row.sequence)}::bigint[])
    on conflict do nothing`;
}

/**
 * Ends what is still open, and counts each end down once in every park that waits for it, however often the
 * end comes. An end without its question, which could not be read, is one too. Answers the parks that are empty now.
 */
export async function countEnds(tx: Transaction, { asked, ended }: RunBatch): Promise<ParkRecord[]> {
  const born = asked.flatMap((row) => (row.end === undefined ? [] : [row.id]));
  if (ended.length === 0 && born.length === 0) return [];
  return tx<ParkRecord[]>`
    with changed as (
      insert into run_asks as r (interaction_id, driver, deadline_ms, status, sequence)
      select id, '', 0, status, sequence from unnest(
        ${ended.map((end) => end.id)}::text[],
        ${ended.map((end) => end.status)}::text[],
        ${ended.map((end) => end.sequence)}::bigint[]) as e (id, status, sequence)
      on conflict (interaction_id) do update set status = excluded.status, sequence = excluded.sequence
        where r.status = 'pending'
      returning interaction_id),
    ends as (select interaction_id from changed union all select unnest(${born}::text[])),
    counted as (
      select a.park_seq, count(*)::int as by from ends e join park_asks a on a.interaction_id = e.interaction_id
      group by 1),
    emptied as (
      update parks p set remaining = p.remaining - c.by from counted c where p.park_seq = c.park_seq
      returning ${parkColumns(tx)})
    select * from emptied where remaining = 0 and state = 'parked' order by park_seq`;
}
