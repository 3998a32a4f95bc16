/** The server fires timers in ticks of up to 250 ms when busy: they are set early, and the rest is held here. */
const EARLY_MS = 500;

/** A deadline this near is held at once: a timer in the log would only be set to be fired in the same breath. */
const NEAR_MS = 2_000;

export type Plan = { kind: "hold" } | { kind: "timer"; atMs: number };

/** Where a deadline should wait, seen at `nowMs`. */
export function planDeadline(dueAtMs: number, nowMs: number): Plan {
  return dueAtMs - nowMs <= NEAR_MS ? { kind: "hold" } : { kind: "timer", atMs: dueAtMs - EARLY_MS };
}
