import { headers, type MsgHdrs } from "@nats-io/nats-core";
import { ServiceFailure } from "@interlude/kernel";
import { publish } from "./append.ts";
import type { Log } from "./connect.ts";

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
  async function store(subject: string, payload: string, given: MsgHdrs): Promise<void> {
    const outcome = await publish(log, subject, payload, given);
    if (outcome.status === "appended") return;
    throw new ServiceFailure("log_unavailable", {
      retry: "later",
      message: "the timer was not acknowledged",
    });
  }

  return {
    set(id, atMs, dueAtMs) {
      const schedule = headers();
      schedule.set("Nats-Schedule", `@at ${new Date(Math.ceil(atMs)).toISOString()}`);
      schedule.set("Nats-Schedule-Target", `${FIRED}${id}`);
      return store(`${SET}${id}`, JSON.stringify({ due_at_ms: dueAtMs }), schedule);
    },
    cancel(id) {
      const cancellation = headers();
      cancellation.set("Nats-Scheduler", `${SET}${id}`);
      cancellation.set("Nats-Schedule-Next", "purge");
      cancellation.set("Nats-TTL", "1s");
      return store(`timers.cancel.${id}`, "", cancellation);
    },
  };
}

/** The interaction a fired timer is about. */
export function firedTimerId(subject: string): string | undefined {
  return subject.startsWith(FIRED) ? subject.slice(FIRED.length) : undefined;
}
