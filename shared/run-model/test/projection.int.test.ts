import type { InteractionEvent } from "@interlude/contract";
import type { Database } from "@interlude/postgres";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import {
  applyRunBatch,
  foldRunBatch,
  getRun,
  latestDeadlineMs,
  readyParks,
  rebuild,
  type RunModelEntry,
  waitForRuns,
} from "../src/index.ts";
import {
  asked,
  ended,
  type EventOfPark,
  interactionEntries,
  NOW_MS,
  parkEvents,
  runEntries,
} from "./events.ts";
import { dump, openRunModel, positionsOf, project, type RunModel, write } from "./run-model.ts";

let model: RunModel;
let database: Database;

beforeAll(async () => {
  model = await openRunModel(inject("postgresUrl"));
  database = model.database;
});
afterAll(() => model.close());
afterEach(() => rebuild(database));

const IDS = ["a", "b", "c", "d", "e"] as const;
const END_TYPES = ["answered", "expired", "cancelled", "failed"] as const;

/** Questions, asked before they end, sometimes ended twice or asked again after a purge. */
const interactions: fc.Arbitrary<InteractionEvent[]> = fc
  .array(fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...END_TYPES)), { maxLength: 10 })
  .chain((ends) =>
    fc
      .constantFrom<InteractionEvent[]>([], [asked("a"), ended("a")])
      .map((late) => [...IDS.map((id) => asked(id)), ...ends.map(([id, type]) => ended(id, type)), ...late]),
  );

type Step =
  | "said"
  | "parked"
  | "requested"
  | "claimed"
  | "renewed"
  | "attemptFailed"
  | "resumed"
  | "failed"
  | "replayed";
const STEPS: readonly Step[] = ["parked", "requested", "claimed", "renewed", "attemptFailed", "claimed"];

const SAID_STEPS: readonly Step[] = ["said", "claimed", "renewed", "attemptFailed", "claimed", "renewed"];

function eventOf(park: string, step: Step, ids: readonly string[], run: string): EventOfPark {
  const events = parkEvents(park, { run });
  switch (step) {
    case "parked":
      return events.parked(ids);
    case "claimed":
      return events.claimed(`c-${park}`, 1, 30);
    case "renewed":
      return events.renewed(`c-${park}`, 7, 60);
    case "attemptFailed":
      return events.attemptFailed(`c-${park}`, 7, 1, 9);
    case "resumed":
      return events.resumed(`c-${park}`, 7);
    case "failed":
      return events.failed(2);
    case "said":
    case "requested":
    case "replayed":
      return events[step]();
  }
}

/** Parks of two runs, each as far as it came. */
const runs: fc.Arbitrary<EventOfPark[]> = fc
  .array(
    fc.record({
      ids: fc.subarray([...IDS, "never"], { minLength: 1 }),
      run: fc.constantFrom("run-1", "run-2"),
      steps: fc.integer({ min: 1, max: STEPS.length }),
      isTurn: fc.boolean(),
      last: fc.constantFrom<Step[]>([], ["resumed"], ["failed"], ["failed", "replayed"]),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((parks) =>
    parks.flatMap(({ ids, run, steps, last, isTurn }, index) =>
      [...(isTurn ? SAID_STEPS : STEPS).slice(0, steps), ...(steps > 2 ? last : [])].map((step) =>
        eventOf(`p-${index}`, step, ids, run),
      ),
    ),
  );

/** One order in which the two streams may reach a reader. */
function interleave(
  one: readonly RunModelEntry[],
  other: readonly RunModelEntry[],
  choices: readonly boolean[],
) {
  const left = [...one];
  const right = [...other];
  const merged: RunModelEntry[] = [];
  for (const choice of choices) merged.push(...(choice ? left : right).splice(0, 1));
  return [...merged, ...left, ...right];
}

const choices = fc.array(fc.boolean(), { minLength: 0, maxLength: 40 });
const size = fc.integer({ min: 1, max: 9 });

describe("the model of runs", () => {
  it("comes to the same rows however the streams interleave and are cut into batches, and after a rebuild", async () => {
    await fc.assert(
      fc.asyncProperty(
        interactions,
        runs,
        choices,
        choices,
        size,
        async (asks, parks, first, second, cut) => {
          const streams = [interactionEntries(asks), runEntries(parks)] as const;
          await rebuild(database);
          await project(database, interleave(...streams, first), 1_000);
          const whole = await dump(database);
          await rebuild(database);
          await project(database, interleave(...streams, second), cut);
          expect(await dump(database)).toEqual(whole);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("makes each park ready exactly once, whatever ends before, between and after", async () => {
    const sets = fc.array(fc.subarray([...IDS], { minLength: 1 }), { minLength: 1, maxLength: 5 });
    const ends = fc.array(fc.constantFrom(...IDS), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(sets, ends, choices, size, async (parked, order, interleaving, cut) => {
        await rebuild(database);
        const asks = [...IDS.map((id) => asked(id)), ...[...order, ...order].map((id) => ended(id))];
        const parks = parked.map((ids, index) => parkEvents(`p-${index}`).parked(ids));
        const merged = interleave(interactionEntries(asks), runEntries(parks), interleaving);
        const ready = await project(database, merged, cut);
        const expected = parked.flatMap((ids, index) =>
          ids.every((id) => order.includes(id)) ? [`p-${index}`] : [],
        );
        expect(ready.map(({ parkId }) => parkId).toSorted()).toEqual(expected);
        expect((await readyParks(database, 100)).map(({ parkId }) => parkId)).toEqual(expected);
        const remaining = await database.run(
          (sql) => sql<{ remaining: number }[]>`select remaining from parks order by park_seq`,
        );
        expect(remaining.map((row) => row.remaining)).toEqual(
          parked.map((ids) => ids.filter((id) => !order.includes(id)).length),
        );
      }),
      { numRuns: 30 },
    );
  });

  it("does not make a park ready whose resume was requested", async () => {
    const park = parkEvents("p-1");
    const [parked, requested] = runEntries([park.parked(["a"]), park.requested()]);
    const [ask, end] = interactionEntries([asked("a"), ended("a")]);
    if (!parked || !requested || !ask || !end) throw new Error("four entries");
    for (const entries of [
      [ask, end, parked, requested],
      [parked, requested, ask, end],
    ]) {
      for (const cut of [1, 4]) {
        await rebuild(database);
        const ready = await project(database, entries, cut);
        expect(ready).toHaveLength(entries[0] === ask && cut === 1 ? 1 : 0);
        expect(await readyParks(database, 10)).toEqual([]);
      }
    }
  });

  it("opens a park again for a question asked again under a purged id", async () => {
    await project(database, runEntries([parkEvents("p-1").parked(["a", "b"])]));
    await project(database, interactionEntries([asked("a"), ended("a"), asked("b"), ended("b")]));
    await project(database, interactionEntries([asked("a")], 4));
    expect(await getRun(database, "bot", "run")).toMatchObject({ total: 2, remaining: 1 });
    const ready = await project(database, interactionEntries([ended("a")], 5));
    expect(ready).toMatchObject([{ parkId: "p-1", remaining: 0 }]);
  });

  it("counts an end whose question could not be read", async () => {
    await project(database, runEntries([parkEvents("p-1").parked(["a"])]));
    const ready = await project(database, interactionEntries([ended("a")], 6));
    expect(ready).toMatchObject([{ parkId: "p-1" }]);
  });

  it("holds a park of 10,000, ready with the last of its ends", async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `question-${index}`);
    await project(database, interactionEntries(ids.map((id) => asked(id))));
    await project(
      database,
      interactionEntries(
        ids.slice(0, 5_000).map((id) => ended(id)),
        10_000,
      ),
    );
    expect(await project(database, runEntries([parkEvents("p-1").parked(ids)]))).toEqual([]);
    expect(await getRun(database, "bot", "run")).toMatchObject({ total: 10_000, remaining: 5_000 });
    const rest = interactionEntries(
      ids.slice(5_000).map((id) => ended(id)),
      15_000,
    );
    expect(await project(database, rest.slice(0, -1))).toEqual([]);
    const before = await getRun(database, "bot", "run");
    expect(before).toMatchObject({ remaining: 1 });
    expect(await project(database, rest.slice(-1))).toEqual([{ ...before, remaining: 0 }]);
  });

  it("gives one end to every park that waits for it", async () => {
    const parks = [1, 2, 3].map((number) =>
      parkEvents(`p-${number}`, { run: `run-${number}` }).parked(["a"]),
    );
    await project(database, runEntries(parks));
    const ready = await project(database, interactionEntries([asked("a"), ended("a")]));
    expect(ready.map(({ parkId }) => parkId)).toEqual(["p-1", "p-2", "p-3"]);
  });
});

describe("two writers at one position", () => {
  it("one wins, and the other changes nothing", async () => {
    const parks = runEntries([parkEvents("p-1").parked(["a"])]);
    const asks = interactionEntries([asked("a"), ended("a")]);
    const start = { interactions: 0, runs: 0 };
    for (let round = 0; round < 10; round++) {
      await rebuild(database);
      const results = await Promise.all([
        write(database, foldRunBatch(start, [...parks, ...asks])),
        write(database, foldRunBatch(start, parks)),
      ]);
      const won = results.flatMap((result, index) => (result === undefined ? [] : [index]));
      expect(won).toHaveLength(1);
      const isWhole = won[0] === 0;
      expect(await positionsOf(database)).toEqual({ interactions: isWhole ? 2 : 0, runs: 1 });
      expect(await getRun(database, "bot", "run")).toMatchObject({ remaining: isWhole ? 0 : 1 });
    }
  });

  it("neither cursor may be elsewhere", async () => {
    await project(database, [
      ...interactionEntries([asked("a")]),
      ...runEntries([parkEvents("p-1").parked(["a"])]),
    ]);
    const before = await dump(database);
    for (const from of [
      { interactions: 0, runs: 1 },
      { interactions: 1, runs: 0 },
      { interactions: 1, runs: 2 },
      { interactions: 2, runs: 1 },
    ]) {
      const late = foldRunBatch(from, [
        ...interactionEntries([ended("a")], 9),
        ...runEntries([parkEvents("p-2").parked(["a"])], 9),
      ]);
      expect(await write(database, late)).toBeUndefined();
      expect(await dump(database)).toEqual(before);
    }
  });

  it("nothing of a batch stands while its transaction is open or was rolled back", async () => {
    const batch = foldRunBatch({ interactions: 0, runs: 0 }, runEntries([parkEvents("p-1").parked(["a"])]));
    const attempt = database.transaction(async (tx) => {
      await applyRunBatch(tx, batch);
      expect(await getRun(database, "bot", "run")).toBeUndefined();
      throw new Error("on the way");
    });
    await expect(attempt).rejects.toThrow("on the way");
    expect(await positionsOf(database)).toEqual({ interactions: 0, runs: 0 });
    expect(await write(database, batch)).toEqual([]);
  });
});

describe("beside the parks", () => {
  it("a driver's latest open deadline is known until that question ends", async () => {
    const late = NOW_MS + 9_000_000;
    await project(
      database,
      interactionEntries([asked("a"), asked("b", { deadlineMs: late }), asked("c", { driver: "x" })]),
    );
    expect(await latestDeadlineMs(database, "bot")).toBe(late);
    await project(database, interactionEntries([ended("b")], 3));
    expect(await latestDeadlineMs(database, "bot")).toBe(NOW_MS + 3_600_000);
    await project(database, interactionEntries([ended("a")], 4));
    expect(await latestDeadlineMs(database, "bot")).toBeUndefined();
  });

  it("who has written waits for the commit that includes it", async () => {
    const waits = [1, 2, 2].map((sequence) => waitForRuns(database, sequence, 5_000));
    const late = waitForRuns(database, 3, 300);
    const park = parkEvents("p-1");
    await project(database, runEntries([park.parked(["a"]), park.requested()]), 1);
    expect(await Promise.all(waits)).toEqual([true, true, true]);
    expect(await late).toBe(false);
    expect(await waitForRuns(database, 2, 0)).toBe(true);
  });
});
