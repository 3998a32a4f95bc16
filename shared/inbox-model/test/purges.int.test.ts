import type { Database } from "@interlude/postgres";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { applyPurges, listItems, type PurgeEntry, rebuild } from "../src/index.ts";
import { askedEvent, endEvent, NOW_MS, sequenced } from "./events.ts";
import { listQuery, openReadModel, OPERATOR, project, type ReadModel } from "./read-model.ts";

let model: ReadModel;
let database: Database;

beforeEach(async () => {
  model = await openReadModel(inject("postgresUrl"));
  database = model.database;
});
afterEach(() => model.close());

const purge = (sequence: number, id: string, upTo: number, after = upTo): PurgeEntry => ({
  sequence,
  purged: { id, upTo },
  after,
});

function apply(entries: readonly PurgeEntry[], expected: number) {
  return database.transaction((tx) => applyPurges(tx, entries, expected));
}

function dump(): Promise<unknown> {
  return database.run(async (sql) => ({
    rows: await sql`select i::text as row from interactions i order by interaction_id`,
    counters: await sql`select c::text as row from interaction_counters c order by 1`,
    cursors: await sql`select * from projection_cursors order by name`,
  }));
}

async function total(status: "all" | "answered" | "pending"): Promise<number | undefined> {
  const listed = await listItems(database, listQuery({ status }), OPERATOR, NOW_MS);
  return listed.ok ? listed.value.total : undefined;
}

const LOG = sequenced([
  askedEvent("gone"),
  askedEvent("kept"),
  endEvent("answered", "gone"),
  endEvent("answered", "kept"),
]);

describe("what was purged", () => {
  it("goes out of lists and counters, and nothing else does", async () => {
    await project(database, LOG);
    expect(await apply([purge(1, "gone", 3)], 0)).toEqual({ position: 1, removed: 1 });
    expect([await total("all"), await total("answered")]).toEqual([1, 1]);
  });

  it("is applied once, however often it is read", async () => {
    await project(database, LOG);
    await apply([purge(1, "gone", 3)], 0);
    const before = await dump();
    expect(await apply([purge(1, "gone", 3)], 0)).toBe("moved");
    expect(await dump()).toEqual(before);
  });

  it("leaves a question that was asked again under its id", async () => {
    await project(database, LOG);
    await project(database, sequenced([askedEvent("gone", { question: "Again?" })], 4), 10, 4);
    expect(await apply([purge(1, "gone", 3)], 0)).toEqual({ position: 1, removed: 0 });
    expect([await total("all"), await total("pending")]).toEqual([2, 1]);
  });

  it("waits until the rows include all that it removes", async () => {
    await project(database, LOG.slice(0, 2));
    const entries = [purge(1, "gone", 3), purge(2, "kept", 4)];
    expect(await apply(entries, 0)).toEqual({ position: 0, removed: 0 });
    await project(database, LOG.slice(2, 3), 10, 2);
    expect(await apply(entries, 0)).toEqual({ position: 1, removed: 1 });
    await project(database, LOG.slice(3), 10, 3);
    expect(await apply(entries.slice(1), 1)).toEqual({ position: 2, removed: 1 });
    expect(await total("all")).toBe(0);
  });

  it("leads to the same rows when they are made again from the log that is left", async () => {
    await project(database, LOG);
    await apply([purge(1, "gone", 3)], 0);
    const before = await dump();
    await rebuild(database);
    await project(
      database,
      LOG.filter(({ sequence }) => [2, 4].includes(sequence)),
    );
    await apply([purge(1, "gone", 3)], 0);
    expect(await dump()).toEqual(before);
  });
});
