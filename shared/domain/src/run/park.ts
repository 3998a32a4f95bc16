import type { RunFailedData, RunParkedData, RunState, TurnReceivedData } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";

/** Who goes on with a run, and until when if it is not renewed. */
export type Claim = Readonly<{
  claimId: string;
  /** The sequence of the claim's event: of two claims of a run, the later has the higher. */
  fencing: number;
  attempt: number;
  leaseUntilMs: number;
  /** Hash of the idempotency key under which it was asked for. */
  key?: string;
}>;

/** What a run goes on from: a park, or with `turn` what a person said, which waits for no questions. */
export type ParkStart = RunParkedData & Readonly<{ turn?: TurnReceivedData["turn"] }>;

/** Everything a decider may know of one park. A park is resumed once; to stop again, a run parks again. */
export type Park =
  | { status: "unparked" }
  /** Its questions have not all ended. */
  | { status: "parked"; parked: ParkStart }
  | { status: "requested"; parked: ParkStart }
  /** The lease may have run out: that is no event, but the clock. */
  | { status: "claimed"; parked: ParkStart; claim: Claim }
  | { status: "waiting"; parked: ParkStart; claim: Claim; retryAtMs: number; reason: string }
  | { status: "resumed"; parked: ParkStart; claim: Claim }
  | { status: "failed"; parked: ParkStart; failed: RunFailedData };

export type KnownPark = Exclude<Park, { status: "unparked" }>;

export const UNPARKED: Park = { status: "unparked" };

/** What a decision about one park needs of its run. */
export type RunFacts = Readonly<{
  park: Park;
  /** The last claim of the run, when it is of another park. */
  otherClaim?: OtherClaim;
  /** Another park of the run is shown under the id that this one is to have. */
  isNameTaken?: boolean;
}>;

/** Until when it lives; absent when it is over, which still leaves every claim before it behind. */
export type OtherClaim = Readonly<{ claimId: string; fencing: number; liveUntilMs?: number }>;

/** Why the domain says no to a command about a run. */
export type RunRefusal =
  | { code: "not_found" }
  | { code: "idempotency_conflict" }
  /** Not now: from `availableAtMs` on, when that is known. */
  | { code: "not_claimable"; availableAtMs?: number }
  /** Another park of the same run is being resumed. */
  | { code: "run_busy"; untilMs: number }
  | { code: "lease_lost" }
  | { code: "not_failed" }
  /** It says that it has parked again, and has not. */
  | { code: "not_parked" }
  /** The history holds an event this process cannot read; a newer process must decide. */
  | { code: "unavailable"; reason: string };

/** Attempts since the park was released, or since it was put back by hand. */
export function attemptsOf(park: KnownPark): number {
  if (park.status === "failed") return park.failed.attempt;
  return "claim" in park ? park.claim.attempt : 0;
}

/** The state in which a park is shown. */
export function runStateOf(park: KnownPark): RunState {
  switch (park.status) {
    case "parked":
      return "parked";
    case "requested":
    case "claimed":
    case "waiting":
      return "resuming";
    case "resumed":
      return "resumed";
    case "failed":
      return "failed";
    default:
      return unreachable(park);
  }
}
