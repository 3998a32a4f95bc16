import { formatInstant, runCeType, type TurnReceivedData } from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";
import { appendMessage } from "./append.ts";
import type { Log } from "./connect.ts";
import { systemHeaders } from "./envelope.ts";
import type { Write } from "./interaction-store.ts";
import { lastBefore } from "./last-before.ts";
import { lastMessage } from "./media-objects.ts";
import { readStoredRun } from "./read-stored-run.ts";
import {
  isTurnAddress,
  type ParkAddress,
  parseRunSubject,
  runEventFilter,
  runSubject,
} from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/** What was said in conversations, among the runs that answer it. */
export interface TurnStore {
  /** Stored once, however often. Needs no read. @throws ServiceFailure also when no acknowledgement came. */
  receive(data: TurnReceivedData, address: ParkAddress, write: Write): Promise<"stored" | "duplicate">;
  /**
   * What was said that this turn, or park, goes on from: through every park in between, and where retention has
   * taken it, the last that was said to the run. `undefined`: it is no conversation's. @throws ServiceFailure
   */
  startOf(address: ParkAddress): Promise<TurnReceivedData["turn"] | undefined>;
  /** Whether anything has been said to the run of this turn. @throws ServiceFailure */
  hasBegun(address: ParkAddress): Promise<boolean>;
}

/** A turn that parks more often than this is looked for no further. */
const MOST_PARKS = 256;

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

    async startOf(address) {
      const turn = await turnOf(log, address);
      const found =
        turn === undefined ? undefined : await lastTurn(log, runSubject("turn_received", turn).subject);
      return found ?? lastTurn(log, runEventFilter("turn_received", address));
    },

    async hasBegun(address) {
      return (await lastMessage(log, STREAMS.runs, runEventFilter("turn_received", address))) !== undefined;
    },
  };
}

async function lastTurn(log: Log, subjects: string): Promise<TurnReceivedData["turn"] | undefined> {
  const message = await lastMessage(log, STREAMS.runs, subjects);
  if (message === undefined) return undefined;
  const { entry } = readStoredRun(message);
  return "type" in entry && entry.type === "turn_received" ? entry.data.turn : undefined;
}

/** A run has one claim at a time, so that what parks is what the last claim before it went on with. */
async function turnOf(log: Log, address: ParkAddress): Promise<ParkAddress | undefined> {
  let at = address;
  for (let parks = 0; parks < MOST_PARKS; parks++) {
    if (isTurnAddress(at)) return at;
    const parked = await lastMessage(log, STREAMS.runs, runSubject("parked", at).subject);
    if (parked === undefined) return undefined;
    const claimed = await lastBefore(log, "claimed", at, parked.seq);
    const claimedAt = claimed === undefined ? undefined : parseRunSubject(claimed.subject)?.address;
    if (claimedAt === undefined) return undefined;
    at = claimedAt;
  }
  return undefined;
}
