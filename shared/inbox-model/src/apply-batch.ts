import { moveCursor, type Transaction } from "@interlude/postgres";
import { changesOf, countChanges } from "./counters.ts";
import type { Batch, Ending, NewRow, Progress } from "./fold-batch.ts";
import { PROJECTED_CHANNEL, PROJECTION } from "./projection.ts";
import { storableJson } from "./storable.ts";

/**
 * Writes a batch, its counters and the cursor in the caller's transaction, and tells who waits for it.
 * `false`: the cursor is not where it is expected (another projector, a rebuild), so roll back and read it.
 */
export async function applyBatch(tx: Transaction, batch: Batch, expected: number): Promise<boolean> {
  // The cursor goes first: its row lock lets one projector at a time go on, and a rebuild waits for it too.
  const moved = moveCursor(tx, PROJECTION, expected, batch.sequence);
  // Everything below is sent without waiting for what stands before it; the server runs it in this order.
  const written = [
    dropReplaced(tx, batch.asked),
    insertAsked(tx, batch.asked),
    updateEnded(tx, batch.ended),
    updateProgressed(tx, batch.progressed),
    countChanges(tx, changesOf(batch.asked)),
  ];
  const done = Promise.all([...written, forgetEmptyCounters(tx), notify(tx, batch.sequence)]);
  const [isMoved] = await Promise.all([moved, done]);
  return isMoved;
}

/** A question asked again under the id of a purged one replaces its row. */
async function dropReplaced(tx: Transaction, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    with gone as (
      delete from interactions where interaction_id = any(${rows.map((row) => row.id)}::text[])
      returning status, mode, audience, asker)
    insert into interaction_counters as c (status, mode, audience, asker, count)
    select status, mode, audience, asker, -count(*) from gone group by 1, 2, 3, 4
    on conflict (status, audience, asker, mode) do update set count = c.count + excluded.count`;
}

async function insertAsked(tx: Transaction, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ending = <K extends keyof Ending>(key: K) => rows.map((row) => row.ending?.[key] ?? null);
  await tx`
    insert into interactions (interaction_id, seq_asked, seq_last, status, mode, answer_format, asker, audience,
      group_id, channel, conversation, deadline_ms, resolved_ms, answered_by, answer, delivery, question, external, search)
    select id, seq_asked, seq_last, status, mode, answer_format, asker, audience,
      group_id, channel, conversation, deadline_ms, resolved_ms, answered_by, answer::jsonb, delivery::jsonb, question::json, external::json,
      to_tsvector('simple', search)
    from unnest(
      ${rows.map((row) => row.id)}::text[],
      ${rows.map((row) => row.sequence)}::bigint[],
      ${rows.map((row) => Math.max(row.sequence, row.ending?.sequence ?? 0, row.progress?.sequence ?? 0))}::bigint[],
      ${rows.map((row) => row.ending?.status ?? "pending")}::text[],
      ${rows.map((row) => row.mode)}::text[],
      ${rows.map((row) => row.answerFormat)}::text[],
      ${rows.map((row) => row.asker)}::text[],
      ${rows.map((row) => row.audience)}::text[],
      ${rows.map((row) => row.groupId)}::text[],
      ${rows.map((row) => row.channel)}::text[],
      ${rows.map((row) => row.conversation)}::text[],
      ${rows.map((row) => row.deadlineMs)}::bigint[],
      ${ending("resolvedMs")}::bigint[],
      ${ending("answeredBy")}::text[],
      ${ending("answer")}::text[],
      ${rows.map((row) => (row.progress === undefined ? null : progressJson(row.progress)))}::text[],
      ${rows.map((row) => row.question)}::text[],
      ${rows.map((row) => row.external)}::text[],
      ${rows.map((row) => row.searchText)}::text[]
    ) as new (id, seq_asked, seq_last, status, mode, answer_format, asker, audience,
      group_id, channel, conversation, deadline_ms, resolved_ms, answered_by, answer, delivery, question, external, search)`;
}

/** Ends what is still pending, and counts it over from pending to its end. */
async function updateEnded(tx: Transaction, endings: readonly Ending[]): Promise<void> {
  if (endings.length === 0) return;
  await tx`
    with ended as (
      update interactions i
      set seq_last = greatest(i.seq_last, e.sequence), status = e.status, resolved_ms = e.resolved_ms, answered_by = e.answered_by,
        answer = e.answer::jsonb
      from unnest(
        ${endings.map((ending) => ending.id)}::text[],
        ${endings.map((ending) => ending.sequence)}::bigint[],
        ${endings.map((ending) => ending.status)}::text[],
        ${endings.map((ending) => ending.resolvedMs)}::bigint[],
        ${endings.map((ending) => ending.answeredBy)}::text[],
        ${endings.map((ending) => ending.answer)}::text[]
      ) as e (id, sequence, status, resolved_ms, answered_by, answer)
      where i.interaction_id = e.id and i.status = 'pending'
      returning i.status, i.mode, i.audience, i.asker),
    change as (
      select status, mode, audience, asker, 1 as by from ended
      union all select 'pending', mode, audience, asker, -1 from ended)
    insert into interaction_counters as c (status, mode, audience, asker, count)
    select status, mode, audience, asker, sum(by) from change group by 1, 2, 3, 4
    on conflict (status, audience, asker, mode) do update set count = c.count + excluded.count`;
}

function progressJson({ facts }: Progress): string {
  return storableJson(JSON.stringify(facts));
}

/** What a channel told, whether or not the question is over; it moves no counter. */
async function updateProgressed(tx: Transaction, progressed: readonly Progress[]): Promise<void> {
  if (progressed.length === 0) return;
  await tx`
    update interactions i
    set seq_last = greatest(i.seq_last, p.sequence), delivery = coalesce(i.delivery, '{}') || p.facts::jsonb
    from unnest(
      ${progressed.map(({ id }) => id)}::text[],
      ${progressed.map(({ sequence }) => sequence)}::bigint[],
      ${progressed.map(progressJson)}::text[]
    ) as p (id, sequence, facts)
    where i.interaction_id = p.id`;
}

/** Whether a kind was ever counted must not show, or a rebuilt model would differ. */
async function forgetEmptyCounters(tx: Transaction): Promise<void> {
  await tx`delete from interaction_counters where count = 0`;
}

async function notify(tx: Transaction, sequence: number): Promise<void> {
  await tx`select pg_notify(${PROJECTED_CHANNEL}, ${String(sequence)})`;
}
