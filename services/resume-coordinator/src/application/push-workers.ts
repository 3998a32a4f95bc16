import type { ClaimView, DriverRegisteredData } from "@interlude/contract";
import { sharedAbort } from "@interlude/kernel";
import type { ClaimDesk } from "./claim-desk.ts";
import type { TakenClaim } from "./claim-view.ts";
import type { ClaimEnd, ClaimOutcome } from "./own-claim.ts";
import { pushOutcome, type PushReply } from "./push-outcome.ts";

type Deliver = NonNullable<DriverRegisteredData["deliver"]>;

export type PushDeps = {
  desk: Pick<ClaimDesk, "take">;
  findDriver: (name: string) => Promise<DriverRegisteredData | undefined>;
  view: (taken: TakenClaim) => Promise<ClaimView>;
  /** Posts once, follows nothing. Answers why where it may not or cannot. */
  post: (deliver: Deliver, body: string, signal: AbortSignal) => Promise<PushReply>;
  end: (taken: TakenClaim, end: ClaimEnd) => Promise<ClaimOutcome>;
  leaseMs: number;
  /** Told of what could not be done; the lease brings it back. */
  onFailure: (driver: string, error: unknown) => void;
};

/** Workers for drivers that have their continuations posted to them: they claim like any other, by the same desk. */
export interface PushWorkers {
  /** Sees to it that a driver has its workers, if it is one of these. Cheap where it has. */
  ensure(driver: string): Promise<void>;
  /** The driver was registered anew: its workers go by what is told now. */
  changed(registered: DriverRegisteredData): void;
  /** Lets what is being posted come to its end for a while, then cuts it. */
  stop(): Promise<void>;
}

type Pool = { deliver: Deliver; ended: AbortController; workers: Promise<unknown> };

const WORKERS = 8;
const STOP_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 1_000;
const SAY_AGAIN_AFTER_MS = 500;
const UNWRITTEN = "the continuation could not be put together";

export function createPushWorkers(deps: PushDeps): PushWorkers {
  const pools = new Map<string, Pool>();
  /** Drivers that take their claims themselves. */
  const others = new Set<string>();
  const stopping = new AbortController();
  const cutting = sharedAbort();

  async function ensure(driver: string): Promise<void> {
    if (pools.has(driver) || others.has(driver) || stopping.signal.aborted) return;
    const registered = await deps.findDriver(driver);
    if (registered !== undefined) changed(registered);
  }

  function changed({ driver, deliver }: DriverRegisteredData): void {
    const pool = pools.get(driver);
    if (deliver === undefined) {
      others.add(driver);
      pool?.ended.abort();
      pools.delete(driver);
    } else if (pool !== undefined) {
      pool.deliver = deliver;
    } else if (!stopping.signal.aborted) {
      others.delete(driver);
      start(driver, deliver);
    }
  }

  function start(driver: string, deliver: Deliver): void {
    const pool: Pool = { deliver, ended: new AbortController(), workers: Promise.resolve() };
    pools.set(driver, pool);
    pool.workers = Promise.all(Array.from({ length: WORKERS }, () => work(driver, pool)));
  }

  async function work(driver: string, pool: Pool): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, pool.ended.signal]);
    while (!signal.aborted) {
      try {
        const taken = await deps.desk.take(driver, { waitMs: Number.POSITIVE_INFINITY, signal });
        if (taken !== undefined && taken !== "elsewhere") await carry(taken, pool.deliver);
      } catch (error) {
        deps.onFailure(driver, error);
        await paused(AGAIN_AFTER_MS, signal);
      }
    }
  }

  async function carry(taken: TakenClaim, deliver: Deliver): Promise<void> {
    // The receiver holds the request as long as it works: the lease is kept for it.
    const renewing = setInterval(() => {
      deps.end(taken, { type: "Renew" }).catch(() => undefined);
    }, deps.leaseMs / 3);
    try {
      const reply = await deps.post(deliver, await written(taken), cutting.signal);
      await insist(() => deps.end(taken, pushOutcome(reply)), deps.leaseMs);
    } finally {
      clearInterval(renewing);
    }
  }

  async function written(taken: TakenClaim): Promise<string> {
    try {
      return JSON.stringify(await deps.view(taken));
    } catch (error) {
      await deps.end(taken, { type: "Fail", reason: UNWRITTEN, retry: true });
      throw error;
    }
  }

  return {
    ensure,
    changed,
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => {
        cutting.abort();
      }, STOP_WITHIN_MS);
      await Promise.allSettled([...pools.values()].map(({ workers }) => workers));
      clearTimeout(timer);
    },
  };
}

/** What has been done need not be done again because the log was away for a moment. */
async function insist<T>(say: () => Promise<T>, withinMs: number): Promise<T> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    try {
      return await say();
    } catch (error) {
      if (performance.now() >= endsAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, SAY_AGAIN_AFTER_MS));
    }
  }
}

function paused(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener("abort", finish, { once: true });
    if (signal.aborted) finish();
  });
}
