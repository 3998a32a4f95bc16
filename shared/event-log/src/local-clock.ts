import { uptime } from "node:os";

/** The machine's three clocks, in milliseconds. */
export type MachineClocks = {
  /** Can be set by anybody, and steps when it is. */
  wallMs(): number;
  /** Never steps, and stands still while the machine sleeps. */
  steadyMs(): number;
  /** Never steps, and counts the sleep; it is dear to read, and coarse. */
  uptimeMs(): number;
};

const MACHINE: MachineClocks = {
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  uptimeMs: () => uptime() * 1_000,
};

/** A step of the wall clock or a sleep shorter than this is not looked into; readings of the log's clock mend it. */
const LOOK_ABOVE_MS = 500;

/**
 * Local time that nobody can set: it begins as the wall clock stands and goes on by the steady one. Setting
 * the wall clock changes nothing; sleep, during which the steady one stands still, is counted.
 */
export function createLocalClock(clocks: MachineClocks = MACHINE): () => number {
  const ahead = (nowMs: number): number => nowMs - clocks.steadyMs();
  const beginsMs = ahead(clocks.wallMs());
  const uptimeAheadMs = ahead(clocks.uptimeMs());
  let wallAheadMs = beginsMs;
  let sleptMs = 0;

  return () => {
    const steadyMs = clocks.steadyMs();
    const wallNowAheadMs = clocks.wallMs() - steadyMs;
    // Both a step and a sleep part the wall clock from the steady one; the uptime tells which it was.
    if (Math.abs(wallNowAheadMs - wallAheadMs) > LOOK_ABOVE_MS) {
      wallAheadMs = wallNowAheadMs;
      const sleptNowMs = ahead(clocks.uptimeMs()) - uptimeAheadMs;
      if (sleptNowMs - sleptMs > LOOK_ABOVE_MS) sleptMs = sleptNowMs;
    }
    return beginsMs + sleptMs + steadyMs;
  };
}
