/** The fake's own time: the machine's, plus what a test has let pass. */
export interface FakeClock {
  readonly nowMs: () => number;
  readonly advance: (ms: number) => void;
}

export function createClock(now: () => number = Date.now): FakeClock {
  let ahead = 0;
  return {
    nowMs: () => now() + ahead,
    advance(ms) {
      ahead += ms;
    },
  };
}
