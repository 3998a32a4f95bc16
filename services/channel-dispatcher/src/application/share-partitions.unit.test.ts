import { PARTITIONS } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { fairShare, planShare } from "./share-partitions.ts";

const workersOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `w${index}`);

describe("the shares of a channel's workers", () => {
  it("are the whole for one worker", () => {
    expect(planShare({ me: "a", workers: ["a"], holders: new Map() }).take).toHaveLength(PARTITIONS);
  });

  it.each([1, 2, 3, 4, 5, 7, 16])(
    "of %i workers add up to all partitions and differ by one at most",
    (count) => {
      const workers = workersOf(count);
      const shares = workers.map((each) => fairShare(each, workers));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(PARTITIONS);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    },
  );

  it("leave a worker beyond the partitions without any", () => {
    const workers = workersOf(20);
    expect(workers.map((each) => fairShare(each, workers)).filter((share) => share > 0)).toHaveLength(16);
  });

  it("are reached within a few rounds, whoever held what", () => {
    const workers = workersOf(3);
    const holders = new Map(Array.from({ length: PARTITIONS }, (_, partition) => [partition, "w0"]));
    for (let round = 0; round < 4; round++) {
      for (const me of workers) {
        const plan = planShare({ me, workers, holders });
        for (const partition of plan.shed) holders.delete(partition);
        for (const partition of plan.take) holders.set(partition, me);
      }
    }
    const counts = workers.map((me) => [...holders.values()].filter((holder) => holder === me).length);
    expect(counts.toSorted()).toEqual([5, 5, 6]);
  });

  it("are never taken from one who holds them", () => {
    const holders = new Map([[3, "other"]]);
    expect(planShare({ me: "me", workers: ["me"], holders }).take).not.toContain(3);
  });

  it("are given up for one who joins", () => {
    const holders = new Map(Array.from({ length: PARTITIONS }, (_, partition) => [partition, "a"]));
    const plan = planShare({ me: "a", workers: ["a", "b"], holders });
    expect(plan).toEqual({ take: [], shed: [8, 9, 10, 11, 12, 13, 14, 15] });
  });
});
