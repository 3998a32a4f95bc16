import { moveCursor, type Transaction } from "@interlude/postgres";
import { CURSORS, PURGES, readPositions } from "./positions.ts";
import type { ParkAddress } from "./fold-run-batch.ts";

export type PurgedAsk = { kind: "ask"; id: string; upTo: number; parked: boolean };
export type PurgedPark = {
  kind: "park";
  address: ParkAddress;
  upTo: number;
  interactionIds: readonly string[];
};

/** What an entry of the audit stream says to the runs; without `purged` it is of another kind. */
export type RunPurgeEntry = {
  sequence: number;
  purged?: PurgedAsk | PurgedPark | undefined;
  /** The position in its stream that the model must include before it is applied. */
  after: number;
};

/** `moved`: the position is not where it is expected; read it anew. */
export type AppliedRunPurges = { position: number } | "moved";

/**
 * Removes what was purged in the caller's transaction, each entry once, and not before the model includes all
 * that it removes. A question that a park has waited for leaves a mark until the park goes too: a model that is
 * rebuilt does not find the question, and must not wait for it.
 */
export async function applyRunPurges(
  tx: Transaction,
  entries: readonly RunPurgeEntry[],
  expected: number,
): Promise<AppliedRunPurges> {
  // The writer's cursors go first, in its order: their locks keep batches and a rebuild out.
  for (const name of [CURSORS.interactions, CURSORS.runs]) {
    await tx`select from projection_cursors where name = ${name} for update`;
  }
  const positions = await readPositions(tx);
  const isEarly = ({ purged, after }: RunPurgeEntry) =>
    after > (purged?.kind === "park" ? positions.runs : positions.interactions);
  const blocked = entries.findIndex(isEarly);
  const due = blocked === -1 ? entries : entries.slice(0, blocked);
  const position = due.at(-1)?.sequence ?? expected;
  if (position === expected) return { position };
  if (!(await moveCursor(tx, PURGES, expected, position))) return "moved";
  await removeAsks(
    tx,
    due.flatMap(({ purged }) => (purged?.kind === "ask" ? [purged] : [])),
  );
  for (const { purged } of due) if (purged?.kind === "park") await removePark(tx, purged);
  return { position };
}

async function removeAsks(tx: Transaction, asks: readonly PurgedAsk[]): Promise<void> {
  // An id may be purged, used again and purged again: the last one counts.
  const last = [...new Map(asks.map((ask) => [ask.id, ask])).values()];
  const plain = last.filter(({ parked }) => !parked);
  if (plain.length > 0) {
    await tx`
      delete from run_asks r
      using unnest(
        ${plain.map(({ id }) => id)}::text[],
        ${plain.map(({ upTo }) => upTo)}::bigint[]) as p (id, up_to)
      where r.interaction_id = p.id and r.sequence <= p.up_to`;
  }
  const parked = last.filter((ask) => ask.parked);
  if (parked.length > 0) await markPurged(tx, parked);
}

/** A mark counts as an end: for parks that still wait for the question, as in a model that is being rebuilt. */
async function markPurged(tx: Transaction, asks: readonly PurgedAsk[]): Promise<void> {
  await tx`
    with purged as materialized (
      select p.id, p.up_to, coalesce(r.status, 'pending') = 'pending' as is_open
      from unnest(
        ${asks.map(({ id }) => id)}::text[],
        ${asks.map(({ upTo }) => upTo)}::bigint[]) as p (id, up_to)
      left join run_asks r on r.interaction_id = p.id
      where r.sequence is null or r.sequence <= p.up_to),
    marked as (
      insert into run_asks (interaction_id, driver, deadline_ms, status, sequence)
      select id, '', 0, 'purged', up_to from purged
      on conflict (interaction_id) do update
        set driver = '', deadline_ms = 0, status = 'purged', sequence = excluded.sequence),
    counted as (
      select a.park_seq, count(*)::int as by from purged p join park_asks a on a.interaction_id = p.id
      where p.is_open group by 1)
    update parks p set remaining = p.remaining - c.by from counted c where p.park_seq = c.park_seq`;
}

async function removePark(tx: Transaction, { address, upTo, interactionIds }: PurgedPark): Promise<void> {
  await tx`
    with gone as (
      delete from parks where driver = ${address.driver} and run_token = ${address.runToken}
        and park_token = ${address.parkToken} and sequence <= ${upTo}
      returning park_seq)
    delete from park_asks a using gone g where a.park_seq = g.park_seq`;
  await tx`
    delete from run_asks r where r.interaction_id = any(${[...interactionIds]}::text[]) and r.status = 'purged'
      and not exists (select from park_asks a where a.interaction_id = r.interaction_id)`;
}
