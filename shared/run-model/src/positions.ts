import { type Database, type Queries, readCursor } from "@interlude/postgres";

/** The last sequence of each stream that the model includes. */
export type Positions = Readonly<{ interactions: number; runs: number }>;

/** Their cursors. */
export const CURSORS = { interactions: "runs-interactions", runs: "runs-runs" } as const;
/** The cursor of what was purged, in the audit stream. */
export const PURGES = "runs-purges";
/** NOTIFY channel on which each committed batch tells its position in RUNS. */
export const PROJECTED_CHANNEL = "interlude_runs_projected";

/** How far the model is; put it to the session that writes, or to any database. */
export async function readPositions(sql: Queries): Promise<Positions> {
  const [interactions, runs] = await Promise.all([
    readCursor(sql, CURSORS.interactions),
    readCursor(sql, CURSORS.runs),
  ]);
  return { interactions, runs };
}

/**
 * Waits until the model includes `sequence` of RUNS, so that who has just written reads it; `false` when the
 * time is over first.
 * @throws ServiceFailure `database_unavailable`
 */
export async function waitForRuns(database: Database, sequence: number, withinMs: number): Promise<boolean> {
  const isReached = async () => (await database.run((sql) => readCursor(sql, CURSORS.runs))) >= sequence;
  // Nearly always it is there already, and nothing needs to be listened to.
  if (await isReached()) return true;
  const over = AbortSignal.timeout(Math.max(0, withinMs));
  let wake: () => void = () => undefined;
  const unsubscribe = database.subscribe(PROJECTED_CHANNEL, () => {
    wake();
  });
  const onOver = (): void => {
    wake();
  };
  over.addEventListener("abort", onOver);
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      // Read after the wake is armed: a commit in between is then seen by one of the two.
      if (await isReached()) return true;
      if (over.aborted) return false;
      await woken;
    }
  } finally {
    over.removeEventListener("abort", onOver);
    unsubscribe();
  }
}
