import { formatInstant, runCeType, type TurnReceivedData } from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";
import { appendMessage } from "./append.ts";
import type { Log } from "./connect.ts";
import { systemHeaders } from "./envelope.ts";
import type { Write } from "./interaction-store.ts";
import { lastMessage } from "./media-objects.ts";
import { readStoredRun } from "./read-stored-run.ts";
import { type ParkAddress, runEventFilter, runSubject } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/** What was said in conversations, among the runs that answer it. */
export interface TurnStore {
  /** Stored once, however often. Needs no read. @throws ServiceFailure also when no acknowledgement came. */
  receive(data: TurnReceivedData, address: ParkAddress, write: Write): Promise<"stored" | "duplicate">;
  /** The last that was said to the run of this address; `undefined`: it is no conversation's. @throws ServiceFailure */
  last(address: ParkAddress): Promise<TurnReceivedData["turn"] | undefined>;
}

export function createTurnStore(log: Log): TurnStore {
  return {
    async receive(data, address, write) {
      const outcome = await appendMessage(log, {
        ...runSubject("turn_received", address),
        position: 0,
        payload: JSON.stringify(data),
        headers: systemHeaders(log, {
          ...{ id: write.eventId, type: runCeType("turn_received"), subject: data.run_id },
          ...{ time: formatInstant(write.nowMs), trace: write.trace },
        }),
      });
      if (outcome.status !== "unknown") return outcome.status === "appended" ? "stored" : "duplicate";
      throw new ServiceFailure("log_unavailable", { retry: "later", message: "no acknowledgement came" });
    },

    async last(address) {
      const message = await lastMessage(log, STREAMS.runs, runEventFilter("turn_received", address));
      if (message === undefined) return undefined;
      const { entry } = readStoredRun(message);
      return "type" in entry && entry.type === "turn_received" ? entry.data.turn : undefined;
    },
  };
}
