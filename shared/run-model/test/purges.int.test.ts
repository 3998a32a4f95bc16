import type { Database } from "@interlude/postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { applyRunPurges, readyParks, rebuild, type RunPurgeEntry } from "../src/index.ts";
import { asked, ended, interactionEntries, parkEvents, runEntries } from "./events.ts";
import { openRunModel, project, type RunModel } from "./run-model.ts";

let model: RunModel;
let database: Database;

beforeAll(async () => {
  model = await openRunModel(inject("postgresUrl"));
  database = model.database;
});
afterAll(() => model.close());
afterEach(() => rebuild(database));

const park = parkEvents("p");
const QUESTIONS = interactionEntries([asked("a"), asked("b"), ended("a"), ended("b"), asked("later")]);
const RUN = runEntries([
  park.parked(["a", "b"]),
  park.requested(),
  park.claimed("c", 1, 30),
  park.resumed("c", 3),
  parkEvents("q", { run: "other" }).parked(["later"]),
]);
const { address } = park.requested();

const ask = (sequence: number, id: string, upTo: number): RunPurgeEntry => ({
  sequence,
  purged: { kind: "ask", id, upTo, parked: true },
  after: upTo,
});
const wholePark = (sequence: number): RunPurgeEntry => ({
  sequence,
  purged: { kind: "park", address, upTo: 4, interactionIds: ["a", "b"] },
  after: 4,
});

function apply(entries: readonly RunPurgeEntry[], expected: number) {
  return database.transaction((tx) => applyRunPurges(tx, entries, expected));
}

function rows(): Promise<unknown> {
  return database.run(async (sql) => ({
    parks: await sql`select p::text as row from parks p order by park_seq`,
    parkAsks: await sql`select a::text as row from park_asks a order by 1`,
    asks: await sql`select r::text as row from run_asks r order by interaction_id`,
    purges: await sql`select sequence from projection_cursors where name = 'runs-purges'`,
  }));
}

describe("what was purged of a run", () => {
  it("question by question, leads to the same rows when they are made again", async () => {
    const purges = [ask(1, "a", 3)];
    await project(database, [...QUESTIONS, ...RUN]);
    await apply(purges, 0);
    const before = await rows();
    for (const order of ["questions first", "run first"]) {
      await rebuild(database);
      const left = QUESTIONS.filter(({ sequence }) => ![1, 3].includes(sequence));
      if (order === "run first") {
        await project(database, RUN);
        await project(database, left);
        await apply(purges, 0);
      } else {
        await project(database, left);
        await apply(purges, 0);
        await project(database, RUN);
      }
      expect(await rows()).toEqual(before);
      expect(await readyParks(database, 10)).toEqual([]);
    }
  });

  it("as a whole, leaves nothing of it, and the same when it is made again", async () => {
    const purges = [ask(1, "a", 3), ask(2, "b", 4), wholePark(3)];
    await project(database, [...QUESTIONS, ...RUN]);
    expect(await apply(purges, 0)).toEqual({ position: 3 });
    const before = await rows();
    expect(JSON.stringify(before)).not.toMatch(/"\(a,|"\(b,|t_p/);
    await rebuild(database);
    await project(database, [...QUESTIONS.slice(4), ...RUN.slice(4)]);
    expect(await apply(purges, 0)).toEqual({ position: 3 });
    expect(await rows()).toEqual(before);
  });

  it("waits for the model, and is applied once", async () => {
    await project(database, [...QUESTIONS, ...RUN.slice(0, 3)]);
    const purges = [ask(1, "a", 3), wholePark(2)];
    expect(await apply(purges, 0)).toEqual({ position: 1 });
    expect(await apply(purges.slice(0, 1), 0)).toBe("moved");
    await project(database, RUN.slice(3));
    expect(await apply(purges.slice(1), 1)).toEqual({ position: 2 });
  });

  it("leaves a question that was asked again under its id", async () => {
    await project(database, [...QUESTIONS, ...interactionEntries([asked("a")], 5), ...RUN]);
    const before = JSON.stringify(await rows());
    await apply([{ sequence: 1, purged: { kind: "ask", id: "a", upTo: 3, parked: true }, after: 3 }], 0);
    const after = JSON.stringify(await rows());
    expect(after.replace(/"purges":.*/, "")).toBe(before.replace(/"purges":.*/, ""));
  });
});
