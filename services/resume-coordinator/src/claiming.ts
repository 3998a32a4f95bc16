import type { ClaimView, RunParkedData } from "@interlude/contract";
import {
  type Bucket,
  type DriverStore,
  hasOtherPark,
  hasParkedSinceClaimed,
  type InteractionStore,
  type Log,
  type RunStore,
} from "@interlude/event-log";
import type { Database } from "@interlude/postgres";
import type { Keyring } from "@interlude/secrets";
import type { AnswerKeys, Logger, Settings } from "@interlude/service-kit";
import { createPostgresClaimables } from "./adapters/postgres-claimables.ts";
import { postContinuation } from "./adapters/post-continuation.ts";
import { type ClaimDesk, createClaimDesk } from "./application/claim-desk.ts";
import { claimPark } from "./application/claim-park.ts";
import { claimView, resolutionPage, type TakenClaim } from "./application/claim-view.ts";
import { createClaimsByKey } from "./application/claims-by-key.ts";
import { failForDisabled } from "./application/fail-disabled.ts";
import { type ClaimEnd, handleClaim, type OwnClaimDeps } from "./application/own-claim.ts";
import { createParkedAgain, type ParkedAgain } from "./application/parked-again.ts";
import { createPushWorkers, type PushWorkers } from "./application/push-workers.ts";
import { createTakeClaim, type TakeClaim } from "./application/take-claim.ts";
import { textOf } from "./model-writer.ts";

export type ClaimingDeps = {
  log: Log;
  database: Database;
  interactions: InteractionStore;
  runs: RunStore;
  drivers: DriverStore;
  answerKeys: AnswerKeys;
  claimKeys: Keyring;
  turnKeys: () => Promise<Keyring>;
  claimsByKey: Bucket;
  settings: Settings;
  secret: (name: string) => string | undefined;
  denied: () => ReadonlySet<string>;
  continuationOrigins: ReadonlySet<string>;
  logger: Logger;
};

/** How claims are taken, told and ended; the same for who asks and for who is posted to. */
export type Claiming = {
  own: OwnClaimDeps;
  desk: ClaimDesk;
  take: TakeClaim;
  view: (taken: TakenClaim) => Promise<ClaimView>;
  /** Without a word from its worker, who could not be told of it. */
  giveBack: (taken: TakenClaim, reason: string) => void;
  parkedAgain: ParkedAgain;
  pushing: PushWorkers;
};

const NOBODY_THERE = "the worker was gone before it had the claim";

export function createClaiming(deps: ClaimingDeps): Claiming {
  const { log, interactions, answerKeys, claimKeys, turnKeys, settings, runs } = deps;
  const { clock } = log;
  const leaseSeconds = settings.resume_lease_seconds;
  const leaseMs = leaseSeconds * 1_000;
  const parkedAgain = createParkedAgain(deps.claimsByKey);
  const own = {
    ...{ runs, clock, claimKeys, leaseMs, maxAttempts: settings.resume_attempts },
    async hasParked({ address, parked, claim }: TakenClaim) {
      if (parked.turn === undefined) return hasOtherPark(log, address);
      return (await hasParkedSinceClaimed(log, address)) || parkedAgain.has(claim.claimId);
    },
  };
  const reading = { log, interactions, answerKeys, claimKeys, turnKeys, leaseSeconds };
  const claiming = {
    ...own,
    readFirstPage: (parked: RunParkedData) => resolutionPage(reading, parked, 0),
  };
  const view = (taken: TakenClaim) => claimView(reading, taken);
  const end = ({ claim, parked }: TakenClaim, how: ClaimEnd) =>
    handleClaim(own, { claimId: claim.claimId, subject: parked.owner }, how);
  const giveBack = (taken: TakenClaim, reason: string) => {
    // Should that fail too, the end of the lease brings it back.
    end(taken, { type: "Fail", reason, retry: true }).catch(() => undefined);
  };
  const desk = createClaimDesk(
    {
      ...createPostgresClaimables(deps.database),
      async claim(park, wish) {
        // A turn that came before its driver was registered is its owner's now.
        const owner = park.owner === "" ? (await deps.drivers.find(park.driver))?.owner : park.owner;
        if (owner === undefined) return undefined;
        if (!deps.denied().has(owner)) return claimPark(claiming, park, wish, owner);
        await failForDisabled(own, { ...park, owner });
        return undefined;
      },
      release: (taken) => {
        giveBack(taken, NOBODY_THERE);
      },
    },
    () => clock.nowMs(),
  );
  const take = createTakeClaim({ desk, keys: createClaimsByKey({ ...own, bucket: deps.claimsByKey }) });
  return {
    own,
    desk,
    take,
    view,
    giveBack,
    parkedAgain,
    pushing: createPushing(deps, { desk, view, end, leaseMs }),
  };
}

function createPushing(
  deps: ClaimingDeps,
  claims: Pick<Parameters<typeof createPushWorkers>[0], "desk" | "view" | "end" | "leaseMs">,
): PushWorkers {
  const { secret, continuationOrigins, log, drivers, logger } = deps;
  const posting = { secret, continuationOrigins, nowMs: () => log.clock.nowMs() };
  return createPushWorkers({
    ...claims,
    findDriver: (name) => drivers.find(name),
    post: (deliver, body, signal) => postContinuation(posting, deliver, body, signal),
    onFailure: (driver, error) => {
      const fields = { driver, reason: textOf(error) };
      logger.warn("a continuation could not be handed on; its lease brings it back", fields);
    },
  });
}
