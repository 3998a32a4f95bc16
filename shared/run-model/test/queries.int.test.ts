import type { Database } from "@interlude/postgres";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import {
  countRuns,
  driversInConversations,
  getRun,
  listRuns,
  nextAvailableAt,
  type ParkRow,
  type Pick,
  pickClaimable,
  readyParks,
  type RunFilter,
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
import { openRunModel, positionsOf, project, type RunModel } from "./run-model.ts";

let model: RunModel;
let database: Database;

beforeEach(async () => {
  model = await openRunModel(inject("postgresUrl"));
  database = model.database;
});
afterEach(() => model.close());

const at = (second: number) => NOW_MS + second * 1_000;
const idsOf = (parks: readonly ParkRow[]) => parks.map(({ parkId }) => parkId);

/** Stores events of RUNS after those that are there. */
async function store(...events: EventOfPark[]): Promise<void> {
  await project(database, runEntries(events, (await positionsOf(database)).runs));
}

function pick(more: Partial<Pick> = {}): Promise<ParkRow[]> {
  return database.transaction((tx) =>
    pickClaimable(tx, { driver: "bot", nowMs: at(10), limit: 100, ...more }),
  );
}

/** A park of a run of its own, requested `second` seconds after `NOW_MS`. */
async function request(park: string, second = 1, run = `run-of-${park}`) {
  const events = parkEvents(park, { run });
  await store(events.parked(["a"]), events.requested(second));
  return events;
}

describe("picking what may be claimed", () => {
  it("gives what was requested, longest waiting first, of this driver only", async () => {
    await request("p-1", 3);
    await request("p-2", 1);
    await store(parkEvents("p-3", { run: "r-3" }).parked(["a"]));
    const other = parkEvents("p-4", { driver: "other" });
    await store(other.parked(["a"]), other.requested());
    expect(idsOf(await pick())).toEqual(["p-2", "p-1"]);
    expect(idsOf(await pick({ limit: 1 }))).toEqual(["p-2"]);
    expect(idsOf(await pick({ driver: "other" }))).toEqual(["p-4"]);
    expect(await pick({ driver: "nobody" })).toEqual([]);
  });

  it("gives nothing before its time: request, end of the lease, retry", async () => {
    const { claimed, renewed, attemptFailed, resumed } = await request("p-1", 1);
    expect(await pick({ nowMs: at(1) - 1 })).toEqual([]);
    expect(idsOf(await pick({ nowMs: at(1) }))).toEqual(["p-1"]);
    await store(claimed("c-1", 1, 30));
    expect(await pick({ nowMs: at(30) - 1 })).toEqual([]);
    expect(await pick({ nowMs: at(30) })).toMatchObject([{ claimId: "c-1", attempts: 1, fencing: 3 }]);
    await store(renewed("c-1", 3, 60));
    expect(await pick({ nowMs: at(60) - 1 })).toEqual([]);
    await store(attemptFailed("c-1", 3, 1, 40));
    expect(await pick({ nowMs: at(40) - 1 })).toEqual([]);
    expect(await pick({ nowMs: at(40) })).toMatchObject([{ claimId: undefined, reason: "it broke" }]);
    await store(claimed("c-2", 2, 90), resumed("c-2", 6));
    expect(await pick({ nowMs: at(1_000) })).toEqual([]);
  });

  it("gives nothing of what failed until it is replayed", async () => {
    const { failed, replayed } = await request("p-1");
    await store(failed(3));
    expect(await pick({ nowMs: at(1_000) })).toEqual([]);
    await store(replayed());
    expect(await pick()).toMatchObject([{ parkId: "p-1", attempts: 0, reason: undefined }]);
  });

  it("gives no park of a run in which another one has a live claim", async () => {
    const first = await request("p-1", 1, "one");
    await request("p-2", 2, "one");
    await request("p-3", 3, "two");
    expect(idsOf(await pick())).toEqual(["p-1", "p-3"]);
    await store(first.claimed("c-1", 1, 30));
    expect(idsOf(await pick())).toEqual(["p-3"]);
    // Its lease has run out: the oldest goes on first.
    expect(idsOf(await pick({ nowMs: at(30) }))).toEqual(["p-3", "p-1"]);
    await store(first.attemptFailed("c-1", 5, 1, 60));
    // One that waits for its retry does not keep the others of its run.
    expect(idsOf(await pick())).toEqual(["p-2", "p-3"]);
    await store(first.resumed("c-1", 5));
    expect(idsOf(await pick())).toEqual(["p-2", "p-3"]);
  });

  it("gives what was said in a conversation in its order, also while the first is tried again later", async () => {
    const [first, second] = [parkEvents("t-1", { run: "one" }), parkEvents("t-2", { run: "one" })];
    const other = parkEvents("t-3", { run: "two" });
    await store(first.said(1), second.said(2), other.said(3));
    expect(idsOf(await pick())).toEqual(["t-1", "t-3"]);
    await store(first.claimed("c-1", 1, 30));
    expect(idsOf(await pick())).toEqual(["t-3"]);
    await store(first.attemptFailed("c-1", 4, 1, 60));
    expect(idsOf(await pick())).toEqual(["t-3"]);
    expect(idsOf(await pick({ nowMs: at(60) }))).toEqual(["t-3", "t-1"]);
    await store(first.failed(1));
    expect(idsOf(await pick())).toEqual(["t-2", "t-3"]);
  });

  it("a park that goes on later keeps nothing back that was said to its run", async () => {
    const parked = await request("p-1", 1, "one");
    await store(parked.claimed("c-1", 1, 2), parked.attemptFailed("c-1", 3, 1, 60));
    await store(parkEvents("t-1", { run: "one" }).said(5));
    expect(idsOf(await pick())).toEqual(["t-1"]);
  });

  it("what was said before its driver was registered is its owner's from the first claim on", async () => {
    const events = parkEvents("t-1", { run: "one" });
    await store(events.said());
    expect(await getRun(database, "bot", "one")).toMatchObject({ owner: "", state: "resuming", total: 0 });
    await store(events.claimed("c-1", 1, 30), events.resumed("c-1", 2));
    expect(await getRun(database, "bot", "one")).toMatchObject({ owner: "flow", state: "resumed" });
  });

  it("gives nothing of a run that was just claimed and is not seen as such yet", async () => {
    await request("p-1", 1, "one");
    await request("p-2", 2, "one");
    await request("p-3", 3, "two");
    const [first] = await pick();
    expect(idsOf(await pick({ justClaimed: [first?.parkSeq ?? 0] }))).toEqual(["p-3"]);
  });

  it("gives no park to two pickers at once, nor two of one run, and all of them in the end", async () => {
    for (let number = 0; number < 40; number++) await request(`p-${number}`, 1, `run-${number % 20}`);
    const open: (() => void)[] = [];
    const taken: ParkRow[] = [];
    const pickers = Array.from({ length: 6 }, () =>
      database.transaction(async (tx) => {
        const parks = await pickClaimable(tx, { driver: "bot", nowMs: at(10), limit: 4 });
        taken.push(...parks);
        await new Promise<void>((resolve) => {
          open.push(resolve);
          // The last one has picked while all others still hold theirs.
          if (open.length === 6) for (const end of open) end();
        });
      }),
    );
    await Promise.all(pickers);
    expect(taken).toHaveLength(20);
    expect(new Set(taken.map(({ runToken }) => runToken)).size).toBe(20);
    expect(idsOf(taken).toSorted()).toEqual(idsOf(await pick()).toSorted());
  });

  it("gives nothing of a conversation that another driver has a live claim of, and tells when that ends", async () => {
    const run = `c_${"x".repeat(43)}`;
    const [mine, others] = [parkEvents("p-1", { run }), parkEvents("p-2", { run, driver: "other" })];
    await store(mine.said(), others.said());
    const [first] = await pick({ driver: "other" });
    expect(first?.parkId).toBe("p-2");
    expect(await driversInConversations(database, [run])).toEqual(expect.arrayContaining(["bot", "other"]));
    // What waits for another driver holds nothing back.
    expect(idsOf(await pick())).toEqual(["p-1"]);
    expect(await pick({ justClaimed: [first?.parkSeq ?? 0] })).toEqual([]);
    await store(others.claimed("c-2", 1, 30));
    expect(await pick()).toEqual([]);
    expect(await nextAvailableAt(database, "bot", at(10))).toBe(at(30));
    expect(idsOf(await pick({ nowMs: at(30) }))).toEqual(["p-1"]);
    await store(others.attemptFailed("c-2", 4, 1, 60));
    expect(idsOf(await pick())).toEqual(["p-1"]);
    expect(await nextAvailableAt(database, "bot", at(10))).toBeUndefined();
  });

  it("tells when the clock makes something claimable next", async () => {
    expect(await nextAvailableAt(database, "bot", at(0))).toBeUndefined();
    const first = await request("p-1", 1);
    const second = await request("p-2", 1);
    await store(
      first.claimed("c-1", 1, 30),
      second.claimed("c-2", 1, 20),
      second.attemptFailed("c-2", 6, 1, 50),
    );
    expect(await nextAvailableAt(database, "bot", at(10))).toBe(at(30));
    expect(await nextAvailableAt(database, "bot", at(30))).toBe(at(50));
    expect(await nextAvailableAt(database, "bot", at(50))).toBeUndefined();
    expect(await nextAvailableAt(database, "other", at(10))).toBeUndefined();
  });
});

async function list(
  filter: Partial<RunFilter> = {},
): Promise<{ items: ParkRow[]; nextCursor: string | null }> {
  const listed = await listRuns(database, { limit: 50, ...filter });
  if (!listed.ok) throw new Error(JSON.stringify(listed.faults));
  return listed.value;
}
const listed = async (filter: Partial<RunFilter> = {}) => idsOf((await list(filter)).items);

describe("listing runs", () => {
  it("narrows by state, driver, owner and question, newest first", async () => {
    const one = parkEvents("p-1", { run: "r-1" });
    const two = parkEvents("p-2", { run: "r-2", owner: "ann" });
    const three = parkEvents("p-3", { run: "r-3", driver: "other" });
    const four = parkEvents("p-4", { run: "r-4" });
    await store(one.parked(["a", "b"]), two.parked(["b"]), three.parked(["b", "c"]), four.parked(["c"]));
    await store(two.requested(), three.requested(), three.failed(1), four.requested(), four.resumed("c", 1));
    expect(await listed()).toEqual(["p-4", "p-3", "p-2", "p-1"]);
    expect(await listed({ state: "parked" })).toEqual(["p-1"]);
    expect(await listed({ state: "resuming" })).toEqual(["p-2"]);
    expect(await listed({ state: "resumed" })).toEqual(["p-4"]);
    expect(await listed({ state: "failed" })).toEqual(["p-3"]);
    expect(await listed({ driver: "bot" })).toEqual(["p-4", "p-2", "p-1"]);
    expect(await listed({ driver: "bot", state: "parked" })).toEqual(["p-1"]);
    expect(await listed({ owner: "ann" })).toEqual(["p-2"]);
    expect(await listed({ owner: "flow", state: "resumed" })).toEqual(["p-4"]);
    expect(await listed({ owner: "flow", driver: "other" })).toEqual(["p-3"]);
    expect(await listed({ interactionId: "b" })).toEqual(["p-3", "p-2", "p-1"]);
    expect(await listed({ interactionId: "b", owner: "flow", driver: "bot" })).toEqual(["p-1"]);
    expect(await listed({ interactionId: "b", state: "failed" })).toEqual(["p-3"]);
    expect(await listed({ interactionId: "nowhere" })).toEqual([]);
    expect(await listed({ owner: "eve" })).toEqual([]);
  });

  it("shows a run by its newest park and by those that are not over, and by a question each of its parks", async () => {
    const [first, second, third] = [1, 2, 3].map((number) => parkEvents(`p-${number}`));
    if (!first || !second || !third) throw new Error("three parks");
    await store(first.parked(["a"]), first.requested(), first.resumed("c", 1));
    expect(await listed()).toEqual(["p-1"]);
    await store(second.parked(["b"]), second.requested(), second.failed(1));
    await store(third.parked(["a", "c"]));
    expect(await listed()).toEqual(["p-3", "p-2"]);
    expect(await listed({ state: "resumed" })).toEqual([]);
    expect(await listed({ interactionId: "a" })).toEqual(["p-3", "p-1"]);
    expect(await getRun(database, "bot", "run")).toMatchObject({ parkId: "p-3", state: "parked" });
    expect(await getRun(database, "bot", "another")).toBeUndefined();
    expect(await getRun(database, "other", "run")).toBeUndefined();
  });

  it("shows every run that stays exactly once to who follows the cursor, whatever comes meanwhile", async () => {
    const parks = Array.from({ length: 25 }, (_, index) => parkEvents(`p-${index}`, { run: `r-${index}` }));
    await store(...parks.map((park) => park.parked(["a"])));
    for (const filter of [{}, { driver: "bot" }, { owner: "flow" }, { interactionId: "a" }]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await list({ ...filter, limit: 7, ...(cursor === null ? {} : { cursor }) });
        expect(page.items.length).toBeLessThanOrEqual(7);
        seen.push(...idsOf(page.items));
        cursor = page.nextCursor;
        const late = `late-${seen.length}-${Object.keys(filter).join()}`;
        await store(parkEvents(late, { run: late, driver: "late", owner: "late" }).parked(["z"]));
      } while (cursor !== null);
      expect(seen.filter((park) => !park.startsWith("late"))).toEqual(
        parks.map((_, index) => `p-${24 - index}`),
      );
    }
  });

  it("refuses a cursor that is none of its own, naming it", async () => {
    for (const cursor of ["", "x", "WzEsMV0=", Buffer.from("[1,0]").toString("base64url"), "WzIsMV0"]) {
      const result = await listRuns(database, { limit: 5, cursor });
      expect(result).toMatchObject({ ok: false, faults: [{ path: "cursor" }] });
    }
  });
});

describe("counting and looking after", () => {
  it("counts what is not over and tells the oldest", async () => {
    expect(await countRuns(database)).toEqual({
      ...{ parked: 0, resuming: 0, failed: 0, oldestParkedAtMs: undefined, oldestAvailableAtMs: undefined },
    });
    await store(
      parkEvents("p-0", { run: "r-0" }).parked(["a"]),
      parkEvents("p-9", { run: "r-9" }).parked(["b"]),
    );
    const [one, two, three] = [await request("p-1", 4), await request("p-2", 5), await request("p-3")];
    await store(one.claimed("c", 1, 30), two.failed(1), three.resumed("c", 1));
    expect(await countRuns(database)).toEqual({
      ...{ parked: 2, resuming: 1, failed: 1, oldestParkedAtMs: at(0), oldestAvailableAtMs: at(30) },
    });
  });

  it("finds the parks whose resume still has to be requested, page by page", async () => {
    const parks = Array.from({ length: 5 }, (_, index) => parkEvents(`p-${index}`, { run: `r-${index}` }));
    await store(...parks.map((park, index) => park.parked(index === 2 ? ["a", "b"] : ["a"])));
    await project(database, interactionEntries([asked("a"), ended("a"), asked("b")]));
    const first = await readyParks(database, 2);
    expect(idsOf(first)).toEqual(["p-0", "p-1"]);
    expect(idsOf(await readyParks(database, 10, first.at(-1)?.parkSeq))).toEqual(["p-3", "p-4"]);
    await store(...parks.slice(0, 2).map((park) => park.requested()));
    expect(idsOf(await readyParks(database, 10))).toEqual(["p-3", "p-4"]);
  });
});
