import { type Log, logBounds, readForward } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import type { EntrySource } from "../application/follow-log.ts";

export function createLogSource(log: Log, onUnreadable: (error: unknown) => void): EntrySource {
  return {
    isUp: () => log.isUp(),
    async lastSequence() {
      try {
        return (await logBounds(log)).lastSequence;
      } catch (cause) {
        throw new ServiceFailure("log_unavailable", {
          retry: "later",
          cause,
          message: "NATS does not answer",
        });
      }
    },
    read: (fromSequence, signal) => readForward(log, { fromSequence, signal, onUnreadable }),
  };
}
