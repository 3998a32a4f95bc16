import type { Database } from "@interlude/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  countRuns,
  getRun,
  latestDeadlineMs,
  listRuns,
  nextAvailableAt,
  pickClaimable,
  readyParks,
} from "../src/index.ts";
import { asked, ended, interactionEntries, NOW_MS, parkEvents, runEntries } from "./events.ts";
import { openRunModel, positionsOf, project, type RunModel } from "./run-model.ts";

let model: RunModel;
let database: Database;

const PARKS = 50_000;

beforeAll(async () => {
  // One connection, so that its own statistics can be flushed and read.
  model = await openRunModel(inject("postgresUrl"), 1);
  database = model.database;
  await database.run(async (sql) => {
    await sql`
      insert into parks
      select n, 'bot-' || n % 20, 'run-' || n / 2, 'park-' || n, 'run-' || n / 2, 'park-' || n, 'owner-' || n % 50,
        (array['parked', 'resuming', 'resumed', 'resumed', 'resumed', 'resumed', 'resumed', 'failed'])[1 + n % 8],
        2, case n % 8 when 0 then 2 else 0 end, 1, null, null, null,
        case n % 8 when 1 then ${NOW_MS}::bigint + n end, ${NOW_MS}::bigint, ${NOW_MS}::bigint, n, n % 2 = 0
      from generate_series(1, ${PARKS}::int) n`;
    await sql`
      insert into park_asks
      select 'ask-' || n || '-' || i, n from generate_series(1, ${PARKS}::int) n, generate_series(1, 2) i`;
    await sql`
      insert into run_asks
      select 'ask-' || n || '-' || i, 'bot-' || n % 20, ${NOW_MS}::bigint + n,
        case n % 8 when 0 then 'pending' else 'answered' end, n * 2 + i
      from generate_series(1, ${PARKS}::int) n, generate_series(1, 2) i`;
    await sql`
      insert into projection_cursors values
        ('runs-runs', ${PARKS}::int), ('runs-interactions', ${3 * PARKS}::int)`;
    await sql`vacuum analyze`;
  }, 60_000);
});
afterAll(() => model.close());

/** How often a table was read from its beginning to its end. */
function sequentialScans(): Promise<Record<string, number>> {
  return database.run(async (sql) => {
    await sql`select pg_stat_force_next_flush()`;
    const rows = await sql<{ name: string; scans: number }[]>`
      select relname as name, seq_scan as scans from pg_stat_user_tables
      where relname in ('parks', 'park_asks', 'run_asks') order by 1`;
    return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
  });
}

const QUESTIONS = Array.from({ length: 200 }, (_, index) => `ask-${8 * (index + 1)}-1`);

describe("with 50,000 parks, no table is read as a whole", () => {
  it("a scan would be noticed", async () => {
    const before = await sequentialScans();
    await database.run((sql) => sql`select count(*) from parks where reason is not null`);
    expect((await sequentialScans())["parks"]).toBeGreaterThan(before["parks"] ?? 0);
  });

  const pick = () =>
    database.transaction((tx) =>
      pickClaimable(tx, { driver: "bot-1", nowMs: NOW_MS + PARKS, limit: 10, justClaimed: [1, 2, 3] }),
    );
  const write = async (size: number) => {
    const { interactions } = await positionsOf(database);
    const ends = QUESTIONS.splice(0, size).map((id) => ended(id));
    const asks = Array.from({ length: size }, (_, index) => asked(`fresh-${interactions}-${index}`));
    return project(database, interactionEntries([...asks, ...ends], interactions));
  };
  const park = async () => {
    const { runs } = await positionsOf(database);
    const events = parkEvents(`late-${runs}`, { driver: "bot-1", run: "run-7" });
    return project(
      database,
      runEntries(
        [events.parked(["ask-8-1", "ask-16-2"]), events.requested(), events.claimed("c", 1, 30)],
        runs,
      ),
    );
  };
  const list = (filter: Partial<Parameters<typeof listRuns>[1]>) => () =>
    listRuns(database, { limit: 50, ...filter });

  it.each<[string, () => Promise<unknown>]>([
    ["picking what may be claimed", pick],
    ["the next moment something may be", () => nextAvailableAt(database, "bot-1", NOW_MS)],
    ["an end", () => write(1)],
    ["a hundred ends", () => write(100)],
    ["a park and its claim", park],
    ["a run", () => getRun(database, "bot-1", "run-10")],
    ["ready parks", () => readyParks(database, 100)],
    ["a driver's deadline", () => latestDeadlineMs(database, "bot-8")],
    ["the list", list({})],
    ["the list by state", list({ state: "parked" })],
    ["the list of what is over", list({ state: "resumed" })],
    ["the list by driver", list({ driver: "bot-3" })],
    ["the list by driver and state", list({ driver: "bot-3", state: "failed" })],
    ["the list of an owner", list({ owner: "owner-3" })],
    ["the list of an owner's state", list({ owner: "owner-3", state: "resuming" })],
    ["the list by question", list({ interactionId: "ask-77-1" })],
    ["the counts", () => countRuns(database)],
  ])("for %s", async (_, read) => {
    const before = await sequentialScans();
    await read();
    expect(await sequentialScans()).toEqual(before);
  });
});

describe("with 2,000 turns waiting in one conversation", () => {
  const TURNS = 2_000;
  const run = `c_${"x".repeat(43)}`;

  beforeAll(() =>
    database.run(async (sql) => {
      await sql`
        insert into parks
        select ${2 * PARKS}::int + n, 'talk', ${run}, 't_' || n, ${run}, 't_' || n, '', 'resuming', 0, 0, 0, null,
          case n when 1 then 'claim' end, case n when 1 then 1 end,
          ${NOW_MS}::bigint + case n when 1 then 60000 else 0 end, ${NOW_MS}::bigint, ${NOW_MS}::bigint, n, false
        from generate_series(1, ${TURNS}::int) n`;
      await sql`analyze parks`;
    }, 60_000),
  );

  /** Rows of parks that were looked at, by whatever way. */
  function rowsRead(): Promise<number> {
    return database.run(async (sql) => {
      await sql`select pg_stat_force_next_flush()`;
      const [row] = await sql<{ read: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = 'parks'`;
      return row?.read ?? 0;
    });
  }

  it.each<[string, number, readonly number[]]>([
    ["while the first of them is answered", NOW_MS + 1, []],
    ["while the first of them was just claimed", NOW_MS + 60_001, [2 * PARKS + 1]],
    ["when the first of them may be had", NOW_MS + 60_001, []],
  ])("%s, a pick looks at each a few times at most", async (_, nowMs, justClaimed) => {
    const before = await rowsRead();
    const picked = await database.transaction((tx) =>
      pickClaimable(tx, { driver: "talk", nowMs, limit: 10, justClaimed }),
    );
    expect(picked.length).toBe(nowMs > NOW_MS + 1 && justClaimed.length === 0 ? 1 : 0);
    expect((await rowsRead()) - before).toBeLessThan(6 * TURNS);
  });

  it("the next moment something may be is told from each a few times at most", async () => {
    const before = await rowsRead();
    expect(await nextAvailableAt(database, "talk", NOW_MS + 1)).toBe(NOW_MS + 60_000);
    expect((await rowsRead()) - before).toBeLessThan(6 * TURNS);
  });
});
