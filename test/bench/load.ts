import { setTimeout as delay } from "node:timers/promises";
import { median } from "./statistics.ts";

/** Nothing measured runs longer than this, however slow the machine. */
const BLOCK_MS = 20_000;
/** What a block leaves behind (rows, timers, connections) is done with before the other side begins. */
const SETTLE_MS = 150;

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The median time of `count` runs one after another; fewer where they take too long. */
export async function serialMedian(count: number, measure: () => Promise<number>): Promise<number> {
  const endsAt = performance.now() + BLOCK_MS;
  const times: number[] = [];
  while (times.length < count && performance.now() < endsAt) times.push(await measure());
  await delay(SETTLE_MS);
  return median(times);
}

/** How often a second `work` is done by `callers` at a time, over `seconds`. */
export async function sustainedRate(
  callers: number,
  seconds: number,
  work: () => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let done = 0;
  const caller = async () => {
    while (performance.now() < endsAt) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const rate = (done * 1_000) / (performance.now() - startedAt);
  await delay(SETTLE_MS);
  return rate;
}

export { delay };
