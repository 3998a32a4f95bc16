import { handleRunCommand, type ParkAddress, type RunStore } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";
import { type Keyring, mintClaimId } from "@interlude/secrets";
import type { ClaimWish, Taken } from "./claim-desk.ts";

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
 */
export async function claimPark(
  deps: ClaimParkDeps,
  address: ParkAddress,
  { key, reserving }: ClaimWish = {},
): Promise<Taken> {
  const { runs, clock, leaseMs, maxAttempts } = deps;
  const claimId = mintClaimId(deps.claimKeys, address);
  if ((await reserving?.reserve(claimId)) === false) return "elsewhere";
  const handled = await handleRunCommand(
    runs,
    address,
    (nowMs) => ({
      ...{ type: "Claim", claimId, leaseMs, maxAttempts, nowMs },
      ...(key === undefined ? {} : { key }),
    }),
    () => clock.nowMs(),
  );
  if (handled.ok && handled.park.status === "claimed" && handled.park.claim.claimId === claimId) {
    const { parked, claim } = handled.park;
    return { address, parked, claim };
  }
  await reserving?.giveBack(claimId);
  return undefined;
}
