import { type Database, readCursor } from "@interlude/postgres";
import { PROJECTED_CHANNEL, PROJECTION } from "./projection.ts";

/** One row by its key: what takes longer is a Postgres that hangs. */
const READ_WITHIN_MS = 3_000;

/** The position in the log up to which the read model includes everything. */
export function getProjectedSequence(database: Database): Promise<number> {
  return database.run((sql) => readCursor(sql, PROJECTION), READ_WITHIN_MS);
}

/**
 * Waits until the read model includes `sequence`; `false` when the time is over first. Woken by the
 * projector's commits.
 * @throws ServiceFailure `database_unavailable`
 */
export async function waitForSequence(
  database: Database,
  sequence: number,
  withinMs: number,
): Promise<boolean> {
  // Nearly always it is there already, and nothing needs to be listened to.
  if ((await getProjectedSequence(database)) >= sequence) return true;
  const deadline = performance.now() + withinMs;
  let wake: (() => void) | undefined;
  const unsubscribe = database.subscribe(PROJECTED_CHANNEL, (payload) => {
    if (payload === undefined || Number(payload) >= sequence) wake?.();
  });
  try {
    for (;;) {
      const { woken, cancel } = nextWake(deadline - performance.now(), (callback) => {
        wake = callback;
      });
      // Read after the wake is armed: a commit in between is then seen by one of the two.
      const reached = await getProjectedSequence(database).catch((error: unknown) => {
        cancel();
        throw error;
      });
      if (reached >= sequence || performance.now() >= deadline) {
        cancel();
        return reached >= sequence;
      }
      await woken;
    }
  } finally {
    unsubscribe();
  }
}

function nextWake(
  withinMs: number,
  arm: (wake: () => void) => void,
): { woken: Promise<void>; cancel: () => void } {
  let finish: () => void = () => undefined;
  const woken = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const timer = setTimeout(finish, Math.max(0, withinMs));
  const done = (): void => {
    clearTimeout(timer);
    finish();
  };
  arm(done);
  return { woken, cancel: done };
}
