import { PARTITIONS } from "@interlude/kernel";
import { beforeEach, describe, expect, it } from "vitest";
import { memoryLeases } from "./memory-leases.fixture.ts";
import { createPartitionKeeper, type PartitionKeeper } from "./partition-keeper.ts";

let nowMs = 0;
let leases: ReturnType<typeof memoryLeases>;
beforeEach(() => {
  nowMs = 1_000;
  leases = memoryLeases(() => nowMs);
});

type Worker = PartitionKeeper & {
  signals: Map<number, AbortSignal>;
  begun: [number, boolean][];
  finish: () => void;
};

function worker(name: string, endsAtOnce = true): Worker {
  const signals = new Map<number, AbortSignal>();
  const begun: [number, boolean][] = [];
  const finishing: (() => void)[] = [];
  const keeper = createPartitionKeeper({
    channel: "sms",
    worker: name,
    leases,
    steadyMs: () => nowMs,
    begin(partition, signal, wasGivenBack) {
      signals.set(partition, signal);
      begun.push([partition, wasGivenBack]);
      return {
        stop: () =>
          endsAtOnce
            ? Promise.resolve()
            : new Promise((resolve) => {
                finishing.push(() => {
                  resolve();
                });
              }),
      };
    },
    onFailure: () => undefined,
  });
  const finish = (): void => {
    for (const each of finishing.splice(0)) each();
  };
  // The keeper tells what it holds by a getter, which a spread would read once.
  return Object.assign(Object.create(keeper) as PartitionKeeper, { signals, begun, finish });
}

async function rounds(...workers: Worker[]): Promise<void> {
  for (let round = 0; round < 4; round++) {
    for (const each of workers) await each.round();
    nowMs += 100;
  }
}

describe("the partitions of a channel", () => {
  it("are all one worker's where it is alone", async () => {
    const alone = worker("a");
    await rounds(alone);
    expect(alone.held).toHaveLength(PARTITIONS);
    expect(alone.holds(0)).toBe(true);
  });

  it("are shared with a worker that joins, and taken over from one that leaves", async () => {
    const [a, b] = [worker("a"), worker("b")];
    await rounds(a);
    await rounds(a, b);
    expect([a.held.length, b.held.length]).toEqual([8, 8]);
    expect(new Set([...a.held, ...b.held]).size).toBe(PARTITIONS);
    await b.stop();
    await rounds(a);
    expect(a.held).toHaveLength(PARTITIONS);
    expect(a.begun.slice(PARTITIONS).every(([, wasGivenBack]) => wasGivenBack)).toBe(true);
  });

  it("are given up only when what was under way has ended", async () => {
    const [a, b] = [worker("a", false), worker("b")];
    await rounds(a);
    await rounds(a, b);
    expect([a.held.length, b.held.length]).toEqual([PARTITIONS, 0]);
    a.finish();
    await rounds(a, b);
    expect([a.held.length, b.held.length]).toEqual([8, 8]);
  });

  it("of a worker that is gone are free once its leases have run out, and not before", async () => {
    const [a, b] = [worker("a"), worker("b")];
    await rounds(a, b);
    nowMs += leases.ttlMs - 1_000;
    await b.round();
    expect(b.held).toHaveLength(8);
    nowMs += 2_000;
    await rounds(b);
    expect(b.held).toHaveLength(PARTITIONS);
    expect(b.begun.slice(8).some(([, wasGivenBack]) => wasGivenBack)).toBe(false);
  });

  it("are no longer acted for by a worker that was asleep, before it has looked", async () => {
    const [a, b] = [worker("a"), worker("b")];
    await rounds(a);
    nowMs += leases.ttlMs + 1;
    expect(a.holds(3)).toBe(false);
    await rounds(b);
    await a.round();
    expect(b.held).toHaveLength(PARTITIONS);
    expect(a.held).toEqual([]);
    expect([...a.signals.values()].every((signal) => signal.aborted)).toBe(true);
  });

  it("are let go of by a worker that cannot reach the log for as long as a lease lasts", async () => {
    const a = worker("a");
    await rounds(a);
    leases.isAway = true;
    nowMs += 3_000;
    await a.round();
    expect(a.held).toHaveLength(PARTITIONS);
    nowMs += 5_000;
    await a.round();
    expect(a.held).toEqual([]);
    leases.isAway = false;
    nowMs += 5_000;
    await rounds(a);
    expect(a.held).toHaveLength(PARTITIONS);
  });
});
