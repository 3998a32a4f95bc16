import {
  type ClaimView,
  type Continuation,
  type ResolutionPage,
  type RunParkedData,
  TURN_LABEL,
  TurnContentSchema,
} from "@interlude/contract";
import type { Claim, ParkStart } from "@interlude/domain";
import type { ParkAddress } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { type Keyring, mintClaimToken, openSealedPayload } from "@interlude/secrets";
import { type ResolutionDeps, readResolutions } from "./read-resolutions.ts";
import { createPageFill, pageOf } from "./resolution-pages.ts";

/** A claim that was taken: what its worker needs to be told. */
export type TakenClaim = Readonly<{
  address: ParkAddress;
  parked: ParkStart;
  claim: Claim;
  /** The first of its resolutions, where they were read while the claim was being stored. */
  firstPage?: Promise<FirstPage>;
}>;

/** Resolutions, and the groups the asker had when asking what stands first in them. */
export type FirstPage = Readonly<{ page: ResolutionPage; groups: readonly string[] }>;

export type ClaimViewDeps = ResolutionDeps & {
  claimKeys: Keyring;
  /** What was said is sealed with them. */
  turnKeys: () => Promise<Keyring>;
  leaseSeconds: number;
};

export async function claimView(deps: ClaimViewDeps, taken: TakenClaim): Promise<ClaimView> {
  const { parked, claim } = taken;
  if (parked.turn !== undefined) return turnView(deps, taken, parked.turn);
  const { page, groups } = await (taken.firstPage ?? resolutionPage(deps, parked, 0));
  const subject = parked.owner;
  return {
    claim_id: claim.claimId,
    kind: "resume",
    fencing: claim.fencing,
    lease_seconds: deps.leaseSeconds,
    token: mintClaimToken(deps.claimKeys, { claimId: claim.claimId, subject, groups }),
    continuation: {
      run_id: parked.run_id,
      park_id: parked.park_id,
      identity: { subject, groups: [...groups] },
      ...resolutionsOf(claim.claimId, page),
    },
  };
}

/** A turn is answered in the name of the driver's owner, who registered it and not a group. */
async function turnView(
  { claimKeys, turnKeys, leaseSeconds: lease_seconds }: ClaimViewDeps,
  { parked, claim }: TakenClaim,
  { channel, sealed }: NonNullable<ParkStart["turn"]>,
): Promise<ClaimView> {
  const { claimId, fencing } = claim;
  const opened = TurnContentSchema.safeParse(openSealedPayload(await turnKeys(), TURN_LABEL, sealed));
  if (!opened.success) throw new ServiceFailure("secret_missing", { retry: "later", context: { claimId } });
  const { address: thread, reply_to: _replyTo, ...said } = opened.data;
  return {
    ...{ claim_id: claimId, kind: "turn", fencing, lease_seconds },
    token: mintClaimToken(claimKeys, { claimId, subject: parked.owner, groups: [] }),
    turn: { turn_id: parked.park_id, run_id: parked.run_id, channel, thread, ...said },
  };
}

/** All of them, or where they are. */
function resolutionsOf(
  claimId: string,
  page: ResolutionPage,
): Pick<Continuation, "resolutions" | "resolutions_url"> {
  if (page.next_cursor === null) return { resolutions: page.items };
  return { resolutions_url: `/api/claims/${encodeURIComponent(claimId)}/resolutions` };
}

/** One page of a park's resolutions. */
export async function resolutionPage(
  deps: ResolutionDeps,
  parked: RunParkedData,
  start: number,
): Promise<FirstPage> {
  const fill = createPageFill();
  let groups: readonly string[] | undefined;
  for await (const { resolution, askerGroups } of readResolutions(deps, parked, start)) {
    groups ??= askerGroups;
    if (!fill.add(resolution)) break;
  }
  return { page: pageOf(start, fill, parked.interaction_ids.length), groups: groups ?? [] };
}
