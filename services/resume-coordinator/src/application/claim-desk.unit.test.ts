import type { ParkRow } from "@interlude/run-model";
import { ServiceFailure } from "@interlude/kernel";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Claimables, createClaimDesk, type TakeOptions, type Wanted } from "./claim-desk.ts";
import type { TakenClaim } from "./claim-view.ts";

const FOREVER = { waitMs: Number.POSITIVE_INFINITY };

/** Parks in memory: claimable ones by driver, and what was asked. */
function createPool() {
  const claimable: number[] = [];
  const looks: Wanted[] = [];
  const released: TakenClaim[] = [];
  const pool = {
    claimable,
    looks,
    released,
    refuse: new Set<number>(),
    elsewhere: new Set<string>(),
    nextAtMs: undefined as number | undefined,
    failure: undefined as ServiceFailure | undefined,
    beforeClaim: () => Promise.resolve(),
  };
  const claimables: Claimables = {
    async pick(wanted, use) {
      looks.push(wanted);
      if (pool.failure !== undefined) throw pool.failure;
      const found = claimable.filter((each) => !wanted.except.includes(each)).slice(0, wanted.limit);
      await use(found.map(rowOf));
      return found.length;
    },
    nextAtMs: () => Promise.resolve(pool.nextAtMs),
    async claim({ parkToken }, { key }) {
      await pool.beforeClaim();
      if (key !== undefined && pool.elsewhere.has(key)) return "elsewhere";
      const parkSeq = Number(parkToken);
      if (pool.refuse.has(parkSeq)) return undefined;
      claimable.splice(claimable.indexOf(parkSeq), 1);
      return takenOf(parkSeq);
    },
    release: (taken) => released.push(taken),
  };
  return { pool, claimables };
}

function rowOf(parkSeq: number): ParkRow {
  return {
    ...{
      parkSeq,
      driver: "d",
      runToken: "r",
      parkToken: String(parkSeq),
      runId: "r",
      parkId: "p",
      owner: "ann",
    },
    ...{ state: "resuming", total: 1, remaining: 0, attempts: 0, reason: undefined, claimId: undefined },
    ...{ fencing: undefined, availableAtMs: 0, parkedAtMs: 0, updatedAtMs: 0, sequence: parkSeq },
  };
}

function takenOf(parkSeq: number): TakenClaim {
  const parkToken = String(parkSeq);
  const parked = { driver: "d", run_id: "r", park_id: "p", owner: "ann", at: "", interaction_ids: [] };
  const claim = { claimId: `c-${parkSeq}`, fencing: parkSeq, attempt: 1, leaseUntilMs: 1 };
  return { address: { driver: "d", runToken: "r", parkToken }, parked, claim };
}

describe("the desk", () => {
  let pool: ReturnType<typeof createPool>["pool"];
  let desk: ReturnType<typeof createClaimDesk>;
  let nowMs: number;
  const take = (options: Partial<TakeOptions> = {}) =>
    desk.take("d", { waitMs: 0, signal: new AbortController().signal, ...options });
  const fencingOf = async (taking: ReturnType<typeof take>) => {
    const taken = await taking;
    return taken === undefined || taken === "elsewhere" ? taken : taken.claim.fencing;
  };

  beforeEach(() => {
    nowMs = 0;
    const made = createPool();
    pool = made.pool;
    desk = createClaimDesk(made.claimables, () => nowMs);
  });

  it("gives what there is at once, and nothing where there is nothing", async () => {
    pool.claimable.push(7);
    expect(await fencingOf(take())).toBe(7);
    expect(await take()).toBeUndefined();
  });

  it("serves who waits in the order they came, one look for all of them", async () => {
    const waiting = Array.from({ length: 5 }, () => fencingOf(take(FOREVER)));
    await vi.waitFor(() => {
      expect(pool.looks.length).toBeGreaterThan(0);
    });
    pool.looks.splice(0);
    pool.claimable.push(1, 2, 3, 4, 5);
    desk.wake(["d"], 0);
    expect(await Promise.all(waiting)).toEqual([1, 2, 3, 4, 5]);
    expect(pool.looks).toMatchObject([{ limit: 5 }]);
  });

  it("hands on what is offered to who waits, without a look; what cannot be had keeps nobody from waiting", async () => {
    desk.offer({ driver: "d", runToken: "r", parkToken: "3", owner: "ann" });
    const waiting = [take(FOREVER), take(FOREVER)].map(fencingOf);
    await vi.waitFor(() => {
      expect(pool.looks.length).toBeGreaterThan(0);
    });
    pool.looks.splice(0);
    pool.claimable.push(7, 8);
    pool.refuse.add(6);
    for (const parkToken of ["6", "7"]) desk.offer({ driver: "d", runToken: "r", parkToken, owner: "ann" });
    expect(await waiting[1]).toBe(7);
    desk.offer({ driver: "d", runToken: "r", parkToken: "8", owner: "ann" });
    expect(await waiting[0]).toBe(8);
    expect(pool.looks).toEqual([]);
  });

  it("asks nobody again while nothing happens, and looks when the next one is due", async () => {
    vi.useFakeTimers();
    try {
      pool.nextAtMs = 500;
      const waiting = fencingOf(take(FOREVER));
      await vi.advanceTimersByTimeAsync(499);
      expect(pool.looks).toHaveLength(1);
      pool.claimable.push(9);
      nowMs = 500;
      await vi.advanceTimersByTimeAsync(10);
      expect(await waiting).toBe(9);
      expect(pool.looks).toMatchObject([{ nowMs: 0 }, { nowMs: 500 }]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("passes over what the log refuses, and looks at it again only when something has happened", async () => {
    pool.claimable.push(1, 2);
    pool.refuse.add(1);
    expect(await fencingOf(take())).toBe(2);
    expect(await take()).toBeUndefined();
    pool.refuse.clear();
    expect(await fencingOf(take())).toBe(1);
  });

  it("does not look at what it has just claimed before the model includes that", async () => {
    pool.claimable.push(4);
    await take();
    await take();
    expect(pool.looks.at(-1)?.except).toEqual([4]);
    desk.wake([], 3);
    await take();
    expect(pool.looks.at(-1)?.except).toEqual([4]);
    desk.wake([], 4);
    await take();
    expect(pool.looks.at(-1)?.except).toEqual([]);
  });

  it("ends a wait on time, and gives a claim that is being stored for it all the same", async () => {
    vi.useFakeTimers();
    try {
      let isOver = false;
      const inVain = take({ waitMs: 30 }).finally(() => (isOver = true));
      await vi.advanceTimersByTimeAsync(29);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await inVain).toBeUndefined();
      let stored: () => void = () => undefined;
      pool.beforeClaim = () =>
        new Promise((resolve) => {
          stored = resolve;
        });
      pool.claimable.push(3);
      const late = fencingOf(take({ waitMs: 10 }));
      await vi.advanceTimersByTimeAsync(11);
      stored();
      expect(await late).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it("gives a claim whose worker has gone to the next in line, else back; one under a key is kept for it", async () => {
    const gone = new AbortController();
    pool.beforeClaim = () => {
      gone.abort();
      return Promise.resolve();
    };
    const first = take({ ...FOREVER, signal: gone.signal });
    const second = fencingOf(take(FOREVER));
    pool.claimable.push(1);
    desk.wake(["d"], 0);
    expect([await first, await second]).toEqual([undefined, 1]);

    const alone = new AbortController();
    pool.beforeClaim = () => {
      alone.abort();
      return Promise.resolve();
    };
    pool.claimable.push(2);
    expect(await take({ ...FOREVER, signal: alone.signal })).toBeUndefined();
    expect(pool.released.map(({ claim }) => claim.fencing)).toEqual([2]);

    const keyed = new AbortController();
    pool.beforeClaim = () => {
      keyed.abort();
      return Promise.resolve();
    };
    pool.claimable.push(3);
    expect(await fencingOf(take({ ...FOREVER, signal: keyed.signal, key: "k" }))).toBe(3);
    expect(pool.released).toHaveLength(1);
  });

  it("leaves what a worker is given elsewhere to the next in line, at once", async () => {
    pool.elsewhere.add("k");
    const first = take({ ...FOREVER, key: "k" });
    const second = fencingOf(take(FOREVER));
    pool.claimable.push(1);
    desk.wake(["d"], 0);
    expect([await first, await second]).toEqual(["elsewhere", 1]);
  });

  it("looks again at what the log refused as soon as something happens, however busy it is", async () => {
    pool.claimable.push(1);
    pool.refuse.add(1);
    pool.beforeClaim = () => {
      // While it is being refused, its run is let go.
      desk.wake(["d"], 0);
      pool.beforeClaim = () => {
        pool.refuse.clear();
        return Promise.resolve();
      };
      return Promise.resolve();
    };
    expect(await fencingOf(take(FOREVER))).toBe(1);
  });

  it("tells who comes while nothing can be looked at, and lets those go on waiting who were there before", async () => {
    vi.useFakeTimers();
    try {
      const before = fencingOf(take(FOREVER));
      await vi.advanceTimersByTimeAsync(1);
      pool.failure = new ServiceFailure("database_unavailable", { retry: "later" });
      const refused = expect(take({ waitMs: 60_000 })).rejects.toBe(pool.failure);
      await vi.advanceTimersByTimeAsync(1);
      await refused;
      pool.failure = undefined;
      pool.claimable.push(5);
      nowMs = 1_000;
      await vi.advanceTimersByTimeAsync(1_010);
      expect(await before).toBe(5);
    } finally {
      vi.useRealTimers();
    }
  });

  it("lets everybody go when it stops, and takes nobody any more", async () => {
    const waiting = [take(FOREVER), take({ waitMs: 60_000 })];
    await desk.stop();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    pool.claimable.push(1);
    expect(await take(FOREVER)).toBeUndefined();
  });
});
