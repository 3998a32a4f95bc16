import type { Transaction } from "@interlude/postgres";
import type { AddressedChange, NewPark, NewTurn, ParkAddress } from "./fold-run-batch.ts";
import { parkColumns, type ParkRecord } from "./park-row.ts";

/** Parks and what they wait for, less what has ended already. Answers those that wait for nothing. */
export async function insertParks(tx: Transaction, rows: readonly NewPark[]): Promise<ParkRecord[]> {
  if (rows.length === 0) return [];
  const asks = rows.flatMap(({ sequence, interactionIds }) => interactionIds.map((id) => ({ sequence, id })));
  return tx<ParkRecord[]>`
    with new as (
      select * from unnest(
        ${rows.map((row) => row.sequence)}::bigint[],
        ${rows.map((row) => row.driver)}::text[],
        ${rows.map((row) => row.runToken)}::text[],
        ${rows.map((row) => row.parkToken)}::text[],
        ${rows.map((row) => row.runId)}::text[],
        ${rows.map((row) => row.parkId)}::text[],
        ${rows.map((row) => row.owner)}::text[],
        ${rows.map((row) => row.interactionIds.length)}::int[],
        ${rows.map((row) => row.parkedAtMs)}::bigint[]
      ) as n (park_seq, driver, run_token, park_token, run_id, park_id, owner, total, parked_at_ms)),
    asks as materialized (
      select * from unnest(
        ${asks.map((ask) => ask.sequence)}::bigint[],
        ${asks.map((ask) => ask.id)}::text[]) as a (park_seq, interaction_id)),
    ended as (
      select a.park_seq, count(*)::int as by from asks a join run_asks r on r.interaction_id = a.interaction_id
      where r.status <> 'pending' group by 1),
    p as (
      insert into parks (park_seq, driver, run_token, park_token, run_id, park_id, owner, state, total, remaining,
        attempts, parked_at_ms, updated_at_ms, sequence, superseded)
      select n.park_seq, driver, run_token, park_token, run_id, park_id, owner, 'parked', total,
        total - coalesce(e.by, 0), 0, parked_at_ms, parked_at_ms, n.park_seq, false
      from new n left join ended e on e.park_seq = n.park_seq
      on conflict do nothing
      returning *),
    linked as (
      insert into park_asks (interaction_id, park_seq)
      select a.interaction_id, a.park_seq from asks a join p on p.park_seq = a.park_seq
      on conflict do nothing)
    select ${parkColumns(tx)} from p where p.remaining = 0 order by p.park_seq`;
}

/** Turns: each is to be claimed from when it was said. */
export async function insertTurns(tx: Transaction, rows: readonly NewTurn[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into parks (park_seq, driver, run_token, park_token, run_id, park_id, owner, state, total, remaining,
      attempts, available_at_ms, parked_at_ms, updated_at_ms, sequence, superseded)
    select park_seq, driver, run_token, park_token, run_id, park_id, owner, 'resuming', 0, 0,
      0, at_ms, at_ms, at_ms, park_seq, false
    from unnest(
      ${rows.map((row) => row.sequence)}::bigint[],
      ${rows.map((row) => row.driver)}::text[],
      ${rows.map((row) => row.runToken)}::text[],
      ${rows.map((row) => row.parkToken)}::text[],
      ${rows.map((row) => row.runId)}::text[],
      ${rows.map((row) => row.parkId)}::text[],
      ${rows.map((row) => row.owner)}::text[],
      ${rows.map((row) => row.parkedAtMs)}::bigint[]
    ) as n (park_seq, driver, run_token, park_token, run_id, park_id, owner, at_ms)
    on conflict do nothing`;
}

/** Brings parks to what their later events say; a park that is not there stays so. */
export async function changeParks(tx: Transaction, changes: readonly AddressedChange[]): Promise<void> {
  if (changes.length === 0) return;
  const addresses = changes.map(({ address }) => address);
  const rows = changes.map(({ change }) => change);
  await tx`
    update parks p
    set state = c.state, attempts = coalesce(c.attempts, p.attempts), claim_id = c.claim_id,
      reason = case when c.keeps_reason = 1 then p.reason else c.reason end,
      fencing = coalesce(c.fencing, p.fencing), available_at_ms = c.available_at_ms,
      updated_at_ms = c.at_ms, sequence = c.sequence,
      owner = case when p.owner = '' then coalesce(c.owner, '') else p.owner end
    from unnest(
      ${addresses.map((address) => address.driver)}::text[],
      ${addresses.map((address) => address.runToken)}::text[],
      ${addresses.map((address) => address.parkToken)}::text[],
      ${rows.map((row) => row.state)}::text[],
      ${rows.map((row) => row.attempts)}::int[],
      ${rows.map((row) => (row.reason === undefined ? 1 : 0))}::int[],
      ${rows.map((row) => row.reason ?? null)}::text[],
      ${rows.map((row) => row.claimId)}::text[],
      ${rows.map((row) => row.fencing)}::bigint[],
      ${rows.map((row) => row.availableAtMs)}::bigint[],
      ${rows.map((row) => row.atMs)}::bigint[],
      ${rows.map((row) => row.sequence)}::bigint[],
      ${rows.map((row) => row.owner)}::text[]
    ) as c (driver, run_token, park_token, state, attempts, keeps_reason, reason, claim_id, fencing,
      available_at_ms, at_ms, sequence, owner)
    where p.driver = c.driver and p.run_token = c.run_token and p.park_token = c.park_token`;
}

/** Marks every park and turn of these runs but the newest. */
export async function supersede(tx: Transaction, parked: readonly ParkAddress[]): Promise<void> {
  if (parked.length === 0) return;
  const runs = new Map(parked.map((park) => [`${park.driver}.${park.runToken}`, park]));
  const rows = [...runs.values()];
  await tx`
    update parks p set superseded = true
    from unnest(
      ${rows.map((row) => row.driver)}::text[],
      ${rows.map((row) => row.runToken)}::text[]) as r (driver, run_token)
    where p.driver = r.driver and p.run_token = r.run_token and not p.superseded and exists (
      select from parks q where q.driver = p.driver and q.run_token = p.run_token and not q.superseded
        and q.park_seq > p.park_seq)`;
}
