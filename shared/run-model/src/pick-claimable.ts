import type { Database, Transaction } from "@interlude/postgres";
import { isConversation } from "./conversation-parks.ts";
import { parkColumns, type ParkRecord, type ParkRow, parkRow } from "./park-row.ts";

export type Pick = {
  driver: string;
  nowMs: number;
  limit: number;
  /** Parks (`parkSeq`) that were claimed but whose `claimed` the model may not include yet. */
  justClaimed?: readonly number[];
};

/**
 * Parks of a driver that may be claimed, longest waiting first, at most one a run: the oldest, and none of a
 * run that has a live claim, or of a conversation that has one, by whatever driver. Turns, which have no questions (`total` 0), are answered in their order: one that is
 * tried again later holds back those behind it. Nobody else is given them as long as the caller's transaction is open; whether a claim
 * is taken is decided by the log.
 *
 * Thousands may wait in one conversation. The order of the `case` keeps the look at all that waits there for those
 * that nothing older holds back, and keeps the planner from joining each of them with each.
 */
export async function pickClaimable(tx: Transaction, pick: Pick): Promise<ParkRow[]> {
  const nowMs = Math.floor(pick.nowMs);
  const claimed = [...(pick.justClaimed ?? [])];
  const records = await tx<ParkRecord[]>`
    select ${parkColumns(tx)} from parks p
    where p.driver = ${pick.driver} and p.state = 'resuming' and p.available_at_ms <= ${nowMs}
      and p.park_seq <> all(${claimed}::bigint[])
      and case when exists (
        select from parks o where o.driver = p.driver and o.run_token = p.run_token and o.state = 'resuming'
          and o.park_seq <> p.park_seq
          and case
            when o.park_seq = any(${claimed}::bigint[]) then true
            when o.total = 0 and p.total = 0 and o.park_seq < p.park_seq then true
            when o.available_at_ms > ${nowMs} then o.claim_id is not null
            else o.park_seq < p.park_seq end)
      then false else not (${isConversation(tx, "p")} and exists (
        select from parks o where o.run_token = p.run_token and ${isConversation(tx, "o")} and o.state = 'resuming'
          and o.driver <> p.driver
          and (o.park_seq = any(${claimed}::bigint[]) or (o.claim_id is not null and o.available_at_ms > ${nowMs}))))
      end
    order by p.available_at_ms, p.park_seq
    limit ${pick.limit}
    for update of p skip locked`;
  return records.map(parkRow);
}

/**
 * When the clock alone makes something more claimable of a driver: the next retry or the end of a lease, also of
 * another driver's in the same conversation, after `nowMs`. `undefined`: nothing before another event comes.
 * @throws ServiceFailure `database_unavailable`
 */
export async function nextAvailableAt(
  database: Database,
  driver: string,
  nowMs: number,
): Promise<number | undefined> {
  const afterMs = Math.floor(nowMs);
  const [row] = await database.run(
    (sql) => sql<{ at: number | null }[]>`
      with waiting as materialized (
        select distinct p.run_token from parks p
          where p.driver = ${driver} and p.state = 'resuming' and ${isConversation(sql, "p")})
      select least(
        (select min(available_at_ms) from parks
          where driver = ${driver} and state = 'resuming' and available_at_ms > ${afterMs}),
        (select min(o.available_at_ms) from waiting join parks o on o.run_token = waiting.run_token
          where o.driver <> ${driver} and o.state = 'resuming' and ${isConversation(sql, "o")}
            and o.claim_id is not null and o.available_at_ms > ${afterMs})) as at`,
  );
  return row?.at ?? undefined;
}
