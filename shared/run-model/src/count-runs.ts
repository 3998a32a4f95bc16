import type { Database } from "@interlude/postgres";

export type RunCounts = {
  parked: number;
  resuming: number;
  failed: number;
  /** When the park was made that has waited longest for its questions. */
  oldestParkedAtMs: number | undefined;
  /** Since when the park may be claimed that has waited longest for it; later than now while none waits. */
  oldestAvailableAtMs: number | undefined;
};

type Row = {
  parked: number;
  resuming: number;
  failed: number;
  oldest_parked: number | null;
  oldest_available: number | null;
};

/**
 * How many parks there are in each state that is not over, for metrics.
 * @throws ServiceFailure `database_unavailable`
 */
export async function countRuns(database: Database): Promise<RunCounts> {
  const [row] = await database.run(
    (sql) => sql<Row[]>`
      select
        (select count(*) from parks where state = 'parked') as parked,
        (select count(*) from parks where state = 'resuming') as resuming,
        (select count(*) from parks where state = 'failed') as failed,
        (select parked_at_ms from parks where state = 'parked' order by park_seq limit 1) as oldest_parked,
        (select min(available_at_ms) from parks where state = 'resuming') as oldest_available`,
  );
  return {
    parked: row?.parked ?? 0,
    resuming: row?.resuming ?? 0,
    failed: row?.failed ?? 0,
    oldestParkedAtMs: row?.oldest_parked ?? undefined,
    oldestAvailableAtMs: row?.oldest_available ?? undefined,
  };
}
