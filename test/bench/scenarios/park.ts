import { randomUUID } from "node:crypto";
import type { Scenario } from "../bench.ts";
import type { Doors } from "../doors.ts";
import { serialMedian, sustainedRate, timed } from "../load.ts";
import { type Goal, interleave, type Row, rowOf, rowOfPairs } from "../measurement.ts";
import { openResumeFeed, type ResumeFeed } from "../resume-feed.ts";
import { openSides, type Sides } from "../sides.ts";
import { spreadOf } from "../statistics.ts";

const DRIVER = "bench";
const CALLERS = 64;
const SIZES: readonly { asks: number; parks: number; goal: Goal }[] = [
  { asks: 1, parks: 60, goal: { atMost: 10 } },
  { asks: 1_000, parks: 2, goal: { atMost: 50 } },
];
const ASKS_OF_A_PARK = 4;
const RATE_SECONDS = 4;

/** From the last answer of a park to its resume, and to the worker that has it; parks a second. */
export const park: Scenario = {
  name: "park",
  seconds: () => 120,
  async run(bench) {
    const sides = await openSides(bench);
    const feed = await openResumeFeed(sides.composition.natsUrl);
    await sides.doors.registerDriver(DRIVER);
    try {
      const rows: Row[] = [];
      for (const size of SIZES) rows.push(await resumeRow(sides, feed, bench.options.pairs, size));
      rows.push(await claimRow(sides, feed, bench.options.pairs));
      rows.push(await rateRow(sides.doors, bench.options.pairs));
      return rows;
    } finally {
      await feed.close();
      await sides.close();
    }
  },
};

async function resumeRow(
  { doors, raw }: Sides,
  feed: ResumeFeed,
  pairs: number,
  { asks, parks, goal }: (typeof SIZES)[number],
): Promise<Row> {
  const measured = await interleave(
    pairs,
    () => serialMedian(parks, () => untilRequested(doors, feed, asks)),
    () => serialMedian(60, () => timed(() => raw.askDelivered())),
  );
  const name = `last answer to resume requested, park of ${asks.toLocaleString("en")}, p50`;
  const { goals: _ratio, ...row } = rowOfPairs(name, "ms", measured);
  return { ...row, goals: [{ ...goal, of: "ours" }] };
}

/** Everything is answered by many callers; counted from the acknowledgement of the last answer. */
async function untilRequested(doors: Doors, feed: ResumeFeed, asks: number): Promise<number> {
  const { run, ids } = await parked(doors, asks);
  const requested = feed.requested(run.run_id);
  await concurrently(ids, (id) => doors.answer(id));
  const answeredAtMs = performance.now();
  const requestedAtMs = await requested;
  await (await doors.claim(DRIVER)).complete();
  return Math.max(0, requestedAtMs - answeredAtMs);
}

async function claimRow({ doors, raw }: Sides, feed: ResumeFeed, pairs: number): Promise<Row> {
  const measured = await interleave(
    pairs,
    () => serialMedian(60, () => untilClaimed(doors, feed)),
    () => serialMedian(60, () => timed(() => raw.askDelivered())),
  );
  return rowOfPairs("resume requested to claimed by a waiting worker, p50", "ms", measured, { atMost: 3 });
}

async function untilClaimed(doors: Doors, feed: ResumeFeed): Promise<number> {
  const { run, ids } = await parked(doors, 1);
  const requested = feed.requested(run.run_id);
  const claimed = doors.claim(DRIVER).then((claim) => ({ claim, atMs: performance.now() }));
  await concurrently(ids, (id) => doors.answer(id));
  const requestedAtMs = await requested;
  const { claim, atMs } = await claimed;
  await claim.complete();
  return Math.max(0, atMs - requestedAtMs);
}

/** Callers that ask, park, answer, claim and complete without pause. */
async function rateRow(doors: Doors, pairs: number): Promise<Row> {
  const rates: number[] = [];
  for (let round = 0; round < pairs; round++) {
    rates.push(
      await sustainedRate(CALLERS, RATE_SECONDS, async () => {
        await parked(doors, ASKS_OF_A_PARK);
      }),
    );
  }
  const row = rowOf(`runs that ask ${ASKS_OF_A_PARK} and park, ${CALLERS} callers`, "/s", rates);
  return { ...row, ours: spreadOf(rates), goals: [{ atLeast: 500, of: "ours" }] };
}

async function parked(doors: Doors, asks: number) {
  const run = { driver: DRIVER, run_id: randomUUID() };
  const ids = await concurrently([...Array(asks).keys()], () => doors.askInRun(run));
  await doors.park(run, ids);
  return { run, ids };
}

/** At most `CALLERS` at a time, in the order of `items`. */
async function concurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const caller = async () => {
    for (const [at, item] of left) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(CALLERS, items.length) }, caller));
  return results;
}
