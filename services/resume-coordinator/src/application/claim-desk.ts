import type { ParkAddress, ParkRow } from "@interlude/run-model";
import type { TakenClaim } from "./claim-view.ts";

/** At most `limit` parks of the driver that may be claimed at `nowMs`, without those in `except`. */
export type Wanted = Readonly<{ driver: string; limit: number; nowMs: number; except: readonly number[] }>;

/** A park that may be claimed, and whose it is. */
export type Claimable = ParkAddress & Readonly<{ owner: string }>;

/** Where parks that may be claimed are found, and how one is taken. */
export interface Claimables {
  /** Gives parks to `use`, which nobody else is given until it is done. Answers how many. @throws ServiceFailure `database_unavailable` */
  pick(wanted: Wanted, use: (rows: readonly ParkRow[]) => Promise<void>): Promise<number>;
  /** When the clock alone makes another one claimable, after `nowMs`. @throws ServiceFailure `database_unavailable` */
  nextAtMs(driver: string, nowMs: number): Promise<number | undefined>;
  /** By the log. @throws ServiceFailure */
  claim(park: Claimable, wish: ClaimWish): Promise<Taken>;
  /** Puts a claim back that nobody is there for any more. */
  release(taken: TakenClaim): void;
}

/** `elsewhere`: what was wished for under a key is being given, or has been given, by another process. */
export type Taken = TakenClaim | "elsewhere" | undefined;

/** A key, and who keeps what it stands for. */
export type ClaimWish = Readonly<{ key?: string; reserving?: Reserving }>;

export interface Reserving {
  /** Told a claim's id before it is stored; `false`: the key stands for another claim. */
  reserve(claimId: string): Promise<boolean>;
  /** That claim could not be had after all. */
  giveBack(claimId: string): Promise<void>;
}

export type TakeOptions = ClaimWish & Readonly<{ waitMs: number; signal: AbortSignal }>;

/** One queue of waiting workers a driver: woken by what is stored, first come, first served. */
export interface ClaimDesk {
  /** `undefined`: the wait ended first. @throws ServiceFailure when it cannot be looked for at all */
  take(driver: string, options: TakeOptions): Promise<Taken>;
  /** This one may be claimed from now on: who waits has it without the read model, which is a moment behind. */
  offer(park: Claimable): void;
  /** Events of RUNS up to `sequence` are in the read model; these drivers had some among them. */
  wake(drivers: Iterable<string>, sequence: number): void;
  /** Something has happened, and nobody can say to which drivers. */
  wakeAll(): void;
  /** Lets everybody go who waits. */
  stop(): Promise<void>;
}

type Waiter = TakeOptions & {
  /** Nobody has looked for it yet: a failure is told. */
  isFresh: boolean;
  /** A claim is being stored for it: it is settled when that is known. */
  isClaiming: boolean;
  isOver: boolean;
  settle(taken: Taken): void;
  fail(error: unknown): void;
};

type Queue = {
  waiters: Waiter[];
  running: Promise<void> | undefined;
  isAgain: boolean;
  timer: NodeJS.Timeout | undefined;
};

/** A claim that the model may not include yet, and until which sequence of RUNS that is so. */
type JustClaimed = Map<number, number>;

const MAX_TIMER_MS = 2 ** 31 - 1;
const AGAIN_AFTER_FAILURE_MS = 1_000;
const AT_A_TIME = 64;

export function createClaimDesk(claimables: Claimables, nowMs: () => number): ClaimDesk {
  const queues = new Map<string, Queue>();
  const justClaimed: JustClaimed = new Map();
  const offers = new Set<Promise<unknown>>();
  let isStopped = false;

  function queueOf(driver: string): Queue {
    const known = queues.get(driver);
    if (known !== undefined) return known;
    const made: Queue = { waiters: [], running: undefined, isAgain: false, timer: undefined };
    queues.set(driver, made);
    return made;
  }

  function serve(driver: string): void {
    const queue = queues.get(driver);
    if (queue === undefined || isStopped) return;
    if (queue.running !== undefined) {
      queue.isAgain = true;
      return;
    }
    clearTimeout(queue.timer);
    queue.running = runQueue(driver, queue);
  }

  async function runQueue(driver: string, queue: Queue): Promise<void> {
    // In a turn of its own: what wakes meanwhile must find that it runs.
    await Promise.resolve();
    await serveQueue(driver, queue);
    queue.running = undefined;
    if (queue.waiters.length === 0) forget(driver, queue);
    else if (queue.isAgain) serve(driver);
  }

  function forget(driver: string, queue: Queue): void {
    clearTimeout(queue.timer);
    if (queues.get(driver) === queue) queues.delete(driver);
  }

  async function serveQueue(driver: string, queue: Queue): Promise<void> {
    const refused = new Set<number>();
    try {
      let lookedAtMs = nowMs();
      do {
        queue.isAgain = false;
        // Something has happened since: what could not be had before may be had now.
        refused.clear();
        while (queue.waiters.length > 0 && !isStopped) {
          lookedAtMs = nowMs();
          if ((await serveSome(driver, queue, refused, lookedAtMs)) === 0) break;
        }
      } while (hasMore(queue));
      for (const waiter of [...queue.waiters]) settleFresh(waiter);
      const nextAtMs = queue.waiters.length > 0 ? await claimables.nextAtMs(driver, lookedAtMs) : undefined;
      if (nextAtMs !== undefined) arm(driver, queue, nextAtMs - nowMs());
    } catch (error) {
      for (const waiter of queue.waiters.filter(({ isFresh }) => isFresh)) waiter.fail(error);
      arm(driver, queue, AGAIN_AFTER_FAILURE_MS);
    }
  }

  // A function: what is asked for while the database answers counts.
  const hasMore = (queue: Queue) => queue.isAgain && queue.waiters.length > 0 && !isStopped;

  async function serveSome(
    driver: string,
    queue: Queue,
    refused: Set<number>,
    atMs: number,
  ): Promise<number> {
    const limit = Math.min(queue.waiters.length, AT_A_TIME);
    const except = [...new Set([...justClaimed.keys(), ...refused])];
    let failure: { error: unknown } | undefined;
    const found = await claimables.pick({ driver, limit, nowMs: atMs, except }, async (rows) => {
      await Promise.all(
        rows.map(async (row) => {
          refused.add(row.parkSeq);
          try {
            // Left for the next in line, it is looked at again at once.
            if ((await serveOne(queue, row, row.parkSeq)) === "left") refused.delete(row.parkSeq);
          } catch (error) {
            failure = { error };
          }
        }),
      );
    });
    if (failure !== undefined) throw failure.error;
    return found;
  }

  async function serveOne(queue: Queue, park: Claimable, parkSeq?: number): Promise<"left" | undefined> {
    const waiter = queue.waiters.find(({ isClaiming }) => !isClaiming);
    if (waiter === undefined) return undefined;
    waiter.isClaiming = true;
    try {
      const taken = await claimables.claim(park, waiter);
      if (taken === undefined) return undefined;
      if (taken === "elsewhere") {
        waiter.settle(taken);
        return "left";
      }
      if (parkSeq !== undefined) justClaimed.set(parkSeq, taken.claim.fencing);
      hand(queue, waiter, taken);
      return undefined;
    } finally {
      waiter.isClaiming = false;
      // Its time was over while the claim was being stored for it.
      if (waiter.isOver) waiter.settle(undefined);
    }
  }

  /** Who has gone has no use for it; under a key it is found again, else the next in line has it. */
  function hand(queue: Queue, waiter: Waiter, taken: TakenClaim): void {
    const isGone = waiter.signal.aborted && waiter.key === undefined;
    const instead = isGone
      ? queue.waiters.find((each) => !each.isClaiming && !each.signal.aborted && each.key === undefined)
      : waiter;
    if (isGone) waiter.settle(undefined);
    if (instead === undefined) claimables.release(taken);
    else instead.settle(taken);
  }

  function settleFresh(waiter: Waiter): void {
    waiter.isFresh = false;
    if (waiter.waitMs <= 0) waiter.settle(undefined);
  }

  function arm(driver: string, queue: Queue, inMs: number): void {
    clearTimeout(queue.timer);
    if (isStopped || queue.waiters.length === 0) return;
    // A fraction later than asked for is in time; a fraction earlier finds nothing.
    const delayMs = Math.min(Math.max(inMs, 0) + 2, MAX_TIMER_MS);
    queue.timer = setTimeout(() => {
      serve(driver);
    }, delayMs);
  }

  return {
    take(driver, options) {
      if (isStopped || options.signal.aborted) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        const queue = queueOf(driver);
        const waiter = createWaiter(options, queue, resolve, reject);
        queue.waiters.push(waiter);
        serve(driver);
      });
    },
    offer(park) {
      const queue = queues.get(park.driver);
      if (queue === undefined || isStopped) return;
      // What cannot be had this way, or fails, is found in the read model as ever.
      const offering = serveOne(queue, park)
        .catch(() => undefined)
        .finally(() => offers.delete(offering));
      offers.add(offering);
    },
    wake(drivers, sequence) {
      for (const [park, claimedAt] of justClaimed) if (claimedAt <= sequence) justClaimed.delete(park);
      for (const driver of drivers) serve(driver);
    },
    wakeAll() {
      for (const driver of queues.keys()) serve(driver);
    },
    async stop() {
      isStopped = true;
      const all = [...queues.values()];
      for (const { timer } of all) clearTimeout(timer);
      for (const { waiters } of all) for (const waiter of [...waiters]) leave(waiter);
      for (const { running } of all) await running;
      await Promise.all(offers);
      queues.clear();
    },
  };
}

function leave(waiter: Waiter): void {
  if (waiter.isClaiming) waiter.isOver = true;
  else waiter.settle(undefined);
}

function createWaiter(
  options: TakeOptions,
  queue: Queue,
  resolve: (taken: Taken) => void,
  reject: (error: unknown) => void,
): Waiter {
  const finish = (): void => {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", onOver);
    queue.waiters = queue.waiters.filter((each) => each !== waiter);
  };
  const waiter: Waiter = {
    ...options,
    isFresh: true,
    isClaiming: false,
    isOver: false,
    settle(taken) {
      finish();
      resolve(taken);
    },
    fail(error) {
      finish();
      reject(error);
    },
  };
  const onOver = (): void => {
    leave(waiter);
  };
  // Without a wait it is over when somebody has looked.
  const isTimed = options.waitMs > 0 && Number.isFinite(options.waitMs);
  const timer = isTimed ? setTimeout(onOver, options.waitMs) : undefined;
  options.signal.addEventListener("abort", onOver, { once: true });
  return waiter;
}
