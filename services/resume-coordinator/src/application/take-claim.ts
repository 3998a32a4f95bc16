import { setTimeout as delay } from "node:timers/promises";
import { sha256Base64Url } from "@interlude/kernel";
import type { ClaimDesk } from "./claim-desk.ts";
import type { TakenClaim } from "./claim-view.ts";
import type { ClaimsByKey } from "./claims-by-key.ts";

export type TakeClaimDeps = { desk: ClaimDesk; keys: ClaimsByKey };

export type TakeRequest = {
  driver: string;
  owner: string;
  idempotencyKey: string | undefined;
  waitMs: number;
  signal: AbortSignal;
};

export type TakeClaim = (request: TakeRequest) => Promise<TakenClaim | undefined>;

/** What another process is storing is there after this, or a little later. */
const LOOK_AGAIN_AFTER_MS = 25;

/** The next claim of a driver; under an idempotency key the same one as long as its lease lives. */
export function createTakeClaim({ desk, keys }: TakeClaimDeps): TakeClaim {
  /** A repeat that comes while the first one waits, waits with it. */
  const waiting = new Map<string, Promise<unknown>>();

  async function takeUnder(key: string, request: TakeRequest): Promise<TakenClaim | undefined> {
    const { owner, signal } = request;
    const endsAt = performance.now() + request.waitMs;
    for (let isFirst = true; ; isFirst = false) {
      const known = await keys.find(key, owner);
      if (known !== undefined) return known;
      const waitMs = endsAt - performance.now();
      if (signal.aborted || (waitMs <= 0 && !isFirst)) return undefined;
      const other = waiting.get(key);
      if (other === undefined) {
        const taken = await takeFirst(key, request, waitMs);
        if (taken !== "elsewhere") return taken;
        await delay(LOOK_AGAIN_AFTER_MS);
      } else await either(other, waitMs, signal);
    }
  }

  async function takeFirst(key: string, { driver, owner, signal }: TakeRequest, waitMs: number) {
    const reserving = {
      reserve: (claimId: string) => keys.reserve(key, owner, claimId),
      giveBack: (claimId: string) => keys.giveBack(key, claimId),
    };
    const taking = desk.take(driver, { waitMs, signal, key, reserving });
    const settled = taking.then(
      () => undefined,
      () => undefined,
    );
    waiting.set(key, settled);
    try {
      return await taking;
    } finally {
      waiting.delete(key);
    }
  }

  return async (request) => {
    const { driver, owner, idempotencyKey, waitMs, signal } = request;
    if (idempotencyKey !== undefined) {
      return takeUnder(sha256Base64Url("claim", owner, driver, idempotencyKey), request);
    }
    const taken = await desk.take(driver, { waitMs, signal });
    return taken === "elsewhere" ? undefined : taken;
  };
}

async function either(other: Promise<unknown>, waitMs: number, signal: AbortSignal): Promise<void> {
  let finish: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const timer = setTimeout(finish, Math.max(0, waitMs));
  signal.addEventListener("abort", finish, { once: true });
  await Promise.race([other, over]);
  clearTimeout(timer);
  signal.removeEventListener("abort", finish);
}
