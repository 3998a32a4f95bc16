import { handleRunCommand, type ParkAddress, type RunStore } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";
import { type Keyring, mintClaimId } from "@interlude/secrets";
import type { TakenClaim } from "./claim-view.ts";

export type ClaimParkDeps = {
  runs: RunStore;
  clock: Clock;
  claimKeys: Keyring;
  leaseMs: number;
  maxAttempts: number;
};

/**
 * Takes a park for one worker. `undefined`: it is not to be had now (somebody was first, its run is busy), or its
 * attempts are used up, which has been stored.
 * @param onClaiming told the id before anything is stored
 */
export async function claimPark(
  deps: ClaimParkDeps,
  address: ParkAddress,
  key?: string,
  onClaiming?: (claimId: string) => Promise<void>,
): Promise<TakenClaim | undefined> {
  const { runs, clock, leaseMs, maxAttempts } = deps;
  const claimId = mintClaimId(deps.claimKeys, address);
  await onClaiming?.(claimId);
  const handled = await handleRunCommand(
    runs,
    address,
    (nowMs) => ({
      ...{ type: "Claim", claimId, leaseMs, maxAttempts, nowMs },
      ...(key === undefined ? {} : { key }),
    }),
    () => clock.nowMs(),
  );
  if (!handled.ok || handled.park.status !== "claimed") return undefined;
  const { parked, claim } = handled.park;
  return claim.claimId === claimId ? { address, parked, claim } : undefined;
}
