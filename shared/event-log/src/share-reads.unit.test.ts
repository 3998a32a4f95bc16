import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { shareReads } from "./share-reads.ts";

describe("reads that are shared", () => {
  it("are one for all who ask within a turn, and one for each name", async () => {
    const begun: string[] = [];
    const find = shareReads((key) => {
      begun.push(key);
      return Promise.resolve(key.toUpperCase());
    });
    expect(await Promise.all([find("a"), find("a"), find("b"), find("a")])).toEqual(["A", "A", "B", "A"]);
    expect(begun).toEqual(["a", "b"]);
  });

  it("begin after everybody who shares them has asked", async () => {
    let stored = 1;
    const find = shareReads(() => Promise.resolve(stored));
    const first = find("a");
    stored = 2;
    expect(await Promise.all([first, find("a")])).toEqual([2, 2]);
  });

  it("that have begun are not joined any more", async () => {
    const answers: ((value: number) => void)[] = [];
    const find = shareReads(() => new Promise<number>((resolve) => answers.push(resolve)));
    const early = find("a");
    await nextTurn();
    const late = find("a");
    await nextTurn();
    answers[1]?.(2);
    answers[0]?.(1);
    expect([await early, await late]).toEqual([1, 2]);
  });

  it("fail for all who share them, and are tried again by the next", async () => {
    let isUp = false;
    const find = shareReads(() => (isUp ? Promise.resolve("there") : Promise.reject(new Error("away"))));
    const both = await Promise.allSettled([find("a"), find("a")]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isUp = true;
    expect(await find("a")).toBe("there");
  });
});
