import { factsOf, type RunStore } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";
import { type Keyring, openClaimId } from "@interlude/secrets";
import type { TakenClaim } from "./claim-view.ts";
import { readLiveClaim } from "./own-claim.ts";

/** A small map that all processes share. */
export interface KeyBucket {
  get(key: string): Promise<string | undefined>;
  /** `false` when there is one: of many callers one wins. */
  create(key: string, value: string): Promise<boolean>;
  purge(key: string): Promise<void>;
  /** When the value was stored. */
  storedAtMs(key: string): Promise<number | undefined>;
}

/** Which claim an idempotency key stands for. */
export interface ClaimsByKey {
  /** The claim as long as its lease lives. */
  find(key: string, owner: string): Promise<TakenClaim | undefined>;
  /** `false`: the key stands for another claim, which lives or is just being stored. */
  reserve(key: string, owner: string, claimId: string): Promise<boolean>;
  /** That claim could not be had after all. */
  giveBack(key: string, claimId: string): Promise<void>;
}

export type ClaimsByKeyDeps = {
  bucket: KeyBucket;
  runs: Pick<RunStore, "read">;
  clock: Clock;
  claimKeys: Keyring;
};

/** A claim whose process died before it stored it comes no more after this. */
const COMING_MS = 10_000;

export function createClaimsByKey(deps: ClaimsByKeyDeps): ClaimsByKey {
  const { bucket, clock } = deps;

  async function find(key: string, owner: string): Promise<TakenClaim | undefined> {
    const claimId = await bucket.get(key);
    if (claimId === undefined) return undefined;
    const found = await readLiveClaim(deps, { claimId, subject: owner });
    return found.kind === "live" ? found.taken : undefined;
  }

  /** The claim under the key has been stored and is over, or will never be. */
  async function isOver(key: string): Promise<boolean> {
    const claimId = await bucket.get(key);
    if (claimId === undefined || (await isStored(claimId))) return true;
    const storedAtMs = await bucket.storedAtMs(key);
    return storedAtMs === undefined || storedAtMs + COMING_MS < clock.nowMs();
  }

  async function isStored(claimId: string): Promise<boolean> {
    const address = openClaimId(deps.claimKeys, claimId);
    if (address === undefined) return true;
    const folded = factsOf(await deps.runs.read(address));
    if (!folded.ok) return false;
    const { park } = folded.facts;
    // Once another has it, the one that was meant here has lost the race or its lease.
    return "claim" in park || park.status === "failed";
  }

  return {
    find,
    async reserve(key, owner, claimId) {
      if (await bucket.create(key, claimId)) return true;
      if ((await find(key, owner)) !== undefined || !(await isOver(key))) return false;
      await bucket.purge(key);
      return bucket.create(key, claimId);
    },
    async giveBack(key, claimId) {
      if ((await bucket.get(key)) === claimId) await bucket.purge(key);
    },
  };
}
