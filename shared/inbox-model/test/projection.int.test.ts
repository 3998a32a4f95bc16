import type { InteractionEvent } from "@interlude/contract";
import { type Actor, authorize, type Role } from "@interlude/domain";
import type { Database } from "@interlude/postgres";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import {
  applyBatch,
  foldBatch,
  getProjectedSequence,
  listItems,
  type Reader,
  rebuild,
  waitForSequence,
} from "../src/index.ts";
import { askedEvent, endEvent, NOW_MS, sequenced } from "./events.ts";
import { listQuery, openReadModel, OPERATOR, project, type ReadModel } from "./read-model.ts";

let model: ReadModel;
let database: Database;

beforeEach(async () => {
  model = await openReadModel(inject("postgresUrl"));
  database = model.database;
});
afterEach(() => model.close());

function dump(): Promise<unknown> {
  return database.run(async (sql) => ({
    rows: await sql`select i::text as row from interactions i order by interaction_id`,
    counters: await sql`select c::text as row from interaction_counters c order by 1`,
    cursor: await sql`select * from projection_cursors`,
  }));
}

const SUBJECTS = ["ann", "bob", "flow"] as const;
const AUDIENCES = [
  undefined,
  "ann",
  "bob",
  "group:ops",
  "group:dev",
  "x".repeat(512),
  "\u{1f600}".repeat(512),
];

describe("the projection", () => {
  it("comes to the same rows and counters however the log is cut into batches", async () => {
    const ids = fc.integer({ min: 0, max: 5 }).map((number) => `question-${number}`);
    const event: fc.Arbitrary<InteractionEvent> = fc.oneof(
      fc
        .tuple(ids, fc.constantFrom(...AUDIENCES), fc.constantFrom(...SUBJECTS))
        .map(([id, audience, asker]) =>
          askedEvent(id, { asker, ...(audience === undefined ? {} : { audience }) }),
        ),
      fc
        .tuple(fc.constantFrom("answered", "expired", "cancelled", "failed"), ids)
        .map(([type, id]) => endEvent(type, id)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 8 }),
        async (events, size) => {
          await rebuild(database);
          await project(database, sequenced(events), 1_000);
          const whole = await dump();
          await rebuild(database);
          await project(database, sequenced(events), size);
          expect(await dump()).toEqual(whole);
          const [counted] = await database.run(
            (sql) => sql`select
            (select coalesce(jsonb_agg(r order by r), '[]') from (select status, mode, audience, asker, count(*) as count
              from interactions group by 1, 2, 3, 4) r) as rows,
            (select coalesce(jsonb_agg(r order by r), '[]') from (select status, mode, audience, asker, count
              from interaction_counters) r) as kept`,
          );
          expect(counted?.["kept"]).toEqual(counted?.["rows"]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("shows each reader what the rule of who may see allows, and counts the same", async () => {
    const events = AUDIENCES.flatMap((audience, index) =>
      SUBJECTS.map((asker) =>
        askedEvent(`q-${index}-${asker}`, { asker, ...(audience === undefined ? {} : { audience }) }),
      ),
    );
    await project(database, sequenced(events));
    const roles = fc.subarray<Role>(["asker", "answerer", "operator"]);
    const groups = fc.subarray(["ops", "dev", "none"]);
    const reader: fc.Arbitrary<Reader> = fc.oneof(
      fc.constant<Reader>({ kind: "anonymous" }),
      fc.record({
        kind: fc.constant("subject" as const),
        subject: fc.constantFrom(...SUBJECTS, "eve", "group:ops", "x".repeat(512)),
        roles,
        groups,
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        reader,
        fc.constantFrom("created_at", "-created_at", "deadline"),
        async (actor, sort) => {
          const listed = await listItems(database, listQuery({ sort, page_size: 200 }), actor, NOW_MS);
          const seen = listed.ok ? listed.value.items.map(({ item }) => item.interaction_id) : [];
          const allowed = events.flatMap(({ data }) => (maySee(actor, data) ? [data.interaction_id] : []));
          expect(seen.toSorted()).toEqual(allowed.toSorted());
          expect(listed).toMatchObject({ value: { total: allowed.length } });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("writes nothing when the cursor is not where it is expected", async () => {
    await project(database, sequenced([askedEvent("one-1")]));
    const before = await dump();
    const late = foldBatch(sequenced([askedEvent("two-2")], 1));
    const attempt = database.transaction(async (tx) => {
      if (!(await applyBatch(tx, late, 0))) throw new Error("elsewhere");
    });
    await expect(attempt).rejects.toThrow("elsewhere");
    expect(await dump()).toEqual(before);
  });

  it("replaces the row of a question that was asked again after its purge, and counts it once", async () => {
    const first = [askedEvent("one-1"), endEvent("answered", "one-1")];
    await project(database, sequenced(first));
    await project(database, sequenced([askedEvent("one-1", { question: "Again?" })], 2), 10, 2);
    const all = await listItems(database, listQuery({ status: "all" }), OPERATOR, NOW_MS);
    expect(all).toMatchObject({
      value: { total: 1, items: [{ item: { status: "pending", question: "Again?", sequence: 3 } }] },
    });
    const answered = await listItems(database, listQuery({ status: "answered" }), OPERATOR, NOW_MS);
    expect(answered).toMatchObject({ value: { total: 0 } });
  });

  it("stores what a person may type, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.string({ unit: "binary" }), async (json, text) => {
        await rebuild(database);
        const answer = JSON.parse(json) as string;
        const asked = askedEvent("one-1", { question: text, audience: text, group_id: text, channel: text });
        await project(
          database,
          sequenced([asked, endEvent("answered", "one-1", { answer, answered_by: text })]),
        );
        expect(await getProjectedSequence(database)).toBe(2);
      }),
      { numRuns: 60 },
    );
  });
});

describe("waiting for a sequence", () => {
  it("ends with the commit that includes it, for each who waits", async () => {
    const waits = [1, 2, 2, 3].map((sequence) => waitForSequence(database, sequence, 5_000));
    const late = waitForSequence(database, 4, 300);
    await project(database, sequenced([askedEvent("one-1"), askedEvent("two-2"), askedEvent("three-3")]), 1);
    expect(await Promise.all(waits)).toEqual([true, true, true, true]);
    expect(await late).toBe(false);
  });

  it("goes on after the listening connection was cut", async () => {
    const wait = waitForSequence(database, 1, 10_000);
    await database.run(async (sql) => {
      for (let cut = 0; cut === 0;) {
        const [row] = await sql<
          { cut: number }[]
        >`select count(pg_terminate_backend(pid)) as cut from pg_stat_activity
          where query ilike 'listen%' and datname = current_database()`;
        cut = row?.cut ?? 0;
      }
    });
    await project(database, sequenced([askedEvent("one-1")]));
    expect(await wait).toBe(true);
  });
});

function maySee(actor: Actor, data: Parameters<typeof authorize>[2] | InteractionEvent["data"]): boolean {
  return authorize(actor, "see", data) === "allowed";
}
