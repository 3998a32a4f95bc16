import type { Clock } from "@interlude/kernel";

export type ManualClock = Clock & {
  advance(ms: number): void;
  set(ms: number): void;
};

/** A clock that moves only when the test says so. */
export function manualClock(startMs = Date.UTC(2030, 0, 1)): ManualClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
    set(ms) {
      nowMs = ms;
    },
  };
}
