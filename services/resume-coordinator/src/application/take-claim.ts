import { sha256Base64Url } from "@interlude/kernel";
import type { ClaimDesk } from "./claim-desk.ts";
import type { TakenClaim } from "./claim-view.ts";
import { type OwnClaimDeps, readLiveClaim } from "./own-claim.ts";

/** Which claim an idempotency key stands for; forgets after a day. */
export interface ClaimKeys {
  get(key: string): Promise<string | undefined>;
  put(key: string, claimId: string): Promise<void>;
}

export type TakeClaimDeps = {
  desk: ClaimDesk;
  keys: ClaimKeys;
  own: OwnClaimDeps;
};

export type TakeRequest = {
  driver: string;
  owner: string;
  idempotencyKey: string | undefined;
  waitMs: number;
  signal: AbortSignal;
};

export type TakeClaim = (request: TakeRequest) => Promise<TakenClaim | undefined>;

/** The next claim of a driver; under an idempotency key the same one as long as its lease lives. */
export function createTakeClaim({ desk, keys, own }: TakeClaimDeps): TakeClaim {
  /** A repeat that comes while the first one waits, waits with it. */
  const waiting = new Map<string, Promise<unknown>>();

  async function find(key: string, owner: string): Promise<TakenClaim | undefined> {
    const claimId = await keys.get(key);
    if (claimId === undefined) return undefined;
    const found = await readLiveClaim(own, { claimId, subject: owner });
    return found.kind === "live" ? found.taken : undefined;
  }

  async function takeUnder(key: string, request: TakeRequest): Promise<TakenClaim | undefined> {
    const { driver, owner, signal } = request;
    const endsAt = performance.now() + request.waitMs;
    for (;;) {
      const known = await find(key, owner);
      if (known !== undefined) return known;
      const waitMs = endsAt - performance.now();
      const other = waiting.get(key);
      if (other === undefined) {
        const onClaiming = (claimId: string) => keys.put(key, claimId);
        const own = desk.take(driver, { waitMs, signal, key, onClaiming });
        const settled = own.then(
          () => undefined,
          () => undefined,
        );
        waiting.set(key, settled);
        return await own.finally(() => {
          if (waiting.get(key) === settled) waiting.delete(key);
        });
      }
      if (waitMs <= 0 || signal.aborted) return undefined;
      await either(other, waitMs, signal);
    }
  }

  return (request) => {
    const { driver, owner, idempotencyKey, waitMs, signal } = request;
    if (idempotencyKey === undefined) return desk.take(driver, { waitMs, signal });
    return takeUnder(sha256Base64Url("claim", owner, driver, idempotencyKey), request);
  };
}

async function either(other: Promise<unknown>, waitMs: number, signal: AbortSignal): Promise<void> {
  let finish: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const timer = setTimeout(finish, waitMs);
  signal.addEventListener("abort", finish, { once: true });
  await Promise.race([other, over]);
  clearTimeout(timer);
  signal.removeEventListener("abort", finish);
}
