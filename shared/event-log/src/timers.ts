import type { Log } from "./connect.ts";
import { requireUp } from "./append.ts";

/** Deadlines as scheduled messages: set once, fired by the server, kept over restarts. */
export interface Timers {
  /** Sets or replaces the timer of an interaction; fires on `timers.fired.<id>` at `atMs` or soon after. */
  set(id: string, atMs: number, dueAtMs: number): Promise<void>;
  /** Removes the timer if it is still there. */
  cancel(id: string): Promise<void>;
}

const SET = "timers.set.";
const FIRED = "timers.fired.";

export function createTimers(log: Log): Timers {
  return {
    async set(id, atMs, dueAtMs) {
      requireUp(log);
      await log.jetstream.publish(`${SET}${id}`, JSON.stringify({ due_at_ms: dueAtMs }), {
        schedule: { specification: new Date(Math.ceil(atMs)), target: `${FIRED}${id}` },
      });
    },
    async cancel(id) {
      requireUp(log);
      await log.jetstream.publish(`timers.cancel.${id}`, "", {
        cancelSchedule: { scheduleSubject: `${SET}${id}` },
        ttl: "1s",
      });
    },
  };
}

/** The interaction a fired timer is about. */
export function firedTimerId(subject: string): string | undefined {
  return subject.startsWith(FIRED) ? subject.slice(FIRED.length) : undefined;
}
