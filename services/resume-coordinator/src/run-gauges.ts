import type { Clock } from "@interlude/kernel";
import type { Database } from "@interlude/postgres";
import { countRuns, type RunCounts } from "@interlude/run-model";
import type { Metrics } from "@interlude/service-kit";

export type RunMetrics = Pick<Metrics, "runs" | "oldestRun">;

/** Measures while started, at its own pace, so that a scrape never waits for the database. */
export function createRunGauges(deps: {
  database: Database;
  clock: Clock;
  metrics: RunMetrics;
  everyMs: number;
}): { start(): void; stop(): void } {
  const { database, clock, metrics, everyMs } = deps;
  let timer: NodeJS.Timeout | undefined;

  async function measure(): Promise<void> {
    // With Postgres away the last figures stand; that it is away is told elsewhere.
    const counts = await countRuns(database).catch(() => undefined);
    if (counts !== undefined) setGauges(metrics, counts, clock.nowMs());
  }

  return {
    start() {
      void measure();
      timer = setInterval(() => void measure(), everyMs);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

function setGauges({ runs, oldestRun }: RunMetrics, counts: RunCounts, nowMs: number): void {
  for (const state of ["parked", "resuming", "failed"] as const) runs.set({ state }, counts[state]);
  oldestRun.set({ state: "parked" }, ageSeconds(counts.oldestParkedAtMs, nowMs));
  oldestRun.set({ state: "claimable" }, ageSeconds(counts.oldestAvailableAtMs, nowMs));
}

function ageSeconds(sinceMs: number | undefined, nowMs: number): number {
  return sinceMs === undefined ? 0 : Math.max(0, nowMs - sinceMs) / 1_000;
}
