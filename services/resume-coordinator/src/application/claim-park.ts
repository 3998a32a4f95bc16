import type { RunParkedData } from "@interlude/contract";
import { handleRunCommand, type ParkAddress, type RunStore } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";
import { type Keyring, mintClaimId } from "@interlude/secrets";
import type { ClaimWish, Taken } from "./claim-desk.ts";
import type { FirstPage } from "./claim-view.ts";

export type ClaimParkDeps = {
  runs: RunStore;
  clock: Clock;
  claimKeys: Keyring;
  leaseMs: number;
  maxAttempts: number;
  /** Begins to read what the worker will be told; the questions of a park that may be claimed have ended. */
  readFirstPage: (parked: RunParkedData) => Promise<FirstPage>;
};

/**
 * Takes a park for one worker. `undefined`: it is not to be had now (somebody was first, its run is busy), or its
 * attempts are used up, which has been stored.
 */
export async function claimPark(
  deps: ClaimParkDeps,
  address: ParkAddress,
  { key, reserving }: ClaimWish = {},
  owner?: string,
): Promise<Taken> {
  const { runs, clock, leaseMs, maxAttempts } = deps;
  let firstPage: Promise<FirstPage> | undefined;
  const claimId = mintClaimId(deps.claimKeys, address);
  if ((await reserving?.reserve(claimId)) === false) return "elsewhere";
  const handled = await handleRunCommand(
    runs,
    address,
    (nowMs) => ({
      ...{ type: "Claim", claimId, leaseMs, maxAttempts, nowMs },
      ...(key === undefined ? {} : { key }),
      ...(owner === undefined ? {} : { owner }),
    }),
    () => clock.nowMs(),
    {
      before(park) {
        if (firstPage !== undefined || park.status !== "requested") return undefined;
        if (park.parked.turn !== undefined) return undefined;
        firstPage = deps.readFirstPage(park.parked);
        // Whoever tells of the claim is told why; it may not come to that.
        firstPage.catch(() => undefined);
        return undefined;
      },
    },
  );
  if (handled.ok && handled.park.status === "claimed" && handled.park.claim.claimId === claimId) {
    const { parked, claim } = handled.park;
    return { address, parked, claim, ...(firstPage === undefined ? {} : { firstPage }) };
  }
  await reserving?.giveBack(claimId);
  return undefined;
}
