import { decideRun, type KnownPark, type Park, type RunCommand, type RunRefusal } from "@interlude/domain";
import {
  factsOf,
  handleRunCommand,
  type ParkAddress,
  type RunStore,
  type TraceContext,
} from "@interlude/event-log";
import type { Clock, Json } from "@interlude/kernel";
import { type Keyring, openClaimId } from "@interlude/secrets";
import type { TakenClaim } from "./claim-view.ts";

export type OwnClaimDeps = {
  runs: RunStore;
  clock: Clock;
  claimKeys: Keyring;
  /** Whether the run goes on from something beside what was claimed. @throws ServiceFailure */
  hasParked: (claimed: TakenClaim) => Promise<boolean>;
  leaseMs: number;
  maxAttempts: number;
};

export type ClaimEnd =
  | { type: "Renew" }
  | { type: "Complete"; result?: Json; parked?: boolean }
  | { type: "Fail"; reason: string; retry: boolean };

export type ClaimOutcome =
  | { kind: "done"; park: KnownPark }
  | { kind: "not_found" }
  | { kind: "lease_lost" }
  | { kind: "not_parked" }
  | { kind: "unavailable" };

/** What the holder of a claim says about it. A claim of somebody else's does not exist. */
export async function handleClaim(
  deps: OwnClaimDeps,
  claim: { claimId: string; subject: string },
  end: ClaimEnd,
  trace?: TraceContext,
): Promise<ClaimOutcome> {
  const { claimId, subject } = claim;
  const address = openClaimId(deps.claimKeys, claimId);
  if (address === undefined) return { kind: "not_found" };
  let isAwaited = true;
  if (end.type === "Complete" && end.parked === true) {
    const found = await readLiveClaim(deps, claim);
    if (found.kind === "not_found" || found.kind === "unavailable") return found;
    // Asked once: while the claim lives nothing else of the run can be resumed. What is over is refused, or repeated.
    if (found.kind === "live") isAwaited = await deps.hasParked(found.taken);
  }
  const handled = await handleRunCommand<"not_found">(
    deps.runs,
    address,
    (nowMs) => commandOf(deps, claimId, { ...end, isAwaited }, nowMs),
    () => deps.clock.nowMs(),
    {
      before: (park) => (isOwn(park, subject) ? undefined : "not_found"),
      ...(trace === undefined ? {} : { trace }),
    },
  );
  if (handled.ok) return { kind: "done", park: handled.park };
  return "refused" in handled ? { kind: "not_found" } : refused(handled.refusal);
}

function commandOf(
  deps: OwnClaimDeps,
  claimId: string,
  { isAwaited, ...end }: ClaimEnd & { isAwaited: boolean },
  nowMs: number,
): RunCommand {
  const { leaseMs, maxAttempts } = deps;
  switch (end.type) {
    case "Renew":
      return { ...end, claimId, leaseMs, nowMs };
    case "Complete":
      return { ...end, claimId, isAwaited, nowMs };
    case "Fail":
      return { ...end, claimId, maxAttempts, nowMs };
  }
}

function isOwn(park: Park, subject: string): boolean {
  return park.status !== "unparked" && park.parked.owner === subject;
}

function refused({ code }: RunRefusal): ClaimOutcome {
  if (code === "not_found" || code === "not_parked" || code === "unavailable") return { kind: code };
  // Whatever else stands in the way of a claim's holder: it holds it no longer.
  return { kind: "lease_lost" };
}

export type LiveClaim =
  | { kind: "live"; taken: TakenClaim }
  | { kind: "not_found" }
  | { kind: "lease_lost" }
  | { kind: "unavailable" };

/** The claim as long as its holder may act by it. */
export async function readLiveClaim(
  { runs, clock, claimKeys }: Pick<OwnClaimDeps, "clock" | "claimKeys"> & { runs: Pick<RunStore, "read"> },
  claim: { claimId: string; subject: string },
): Promise<LiveClaim> {
  const address: ParkAddress | undefined = openClaimId(claimKeys, claim.claimId);
  if (address === undefined) return { kind: "not_found" };
  const folded = factsOf(await runs.read(address));
  if (!folded.ok) return { kind: "unavailable" };
  const { park } = folded.facts;
  if (park.status === "unparked" || park.parked.owner !== claim.subject) return { kind: "not_found" };
  // A lease that is renewed by nothing is held, and nothing is stored to say so.
  const renewed = { type: "Renew", claimId: claim.claimId, leaseMs: 0, nowMs: clock.nowMs() } as const;
  const isHeld = decideRun(renewed, folded.facts).ok;
  if (!isHeld || park.status !== "claimed") return { kind: "lease_lost" };
  return { kind: "live", taken: { address, parked: park.parked, claim: park.claim } };
}
