import { tmpdir } from "node:os";
import { openDatabase } from "@interlude/postgres";
import type { RunStatus } from "@interlude/sdk";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChild } from "../support/child-process.ts";
import { startFanOut } from "../support/fan-out.ts";
import { type Fleet, startRunFleet } from "../support/run-fleet.ts";
import { faultsOfRuns, readRunStory } from "../support/run-story.ts";
import { seededRandom } from "../support/seeded-random.ts";

const RUNS = 150;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startRunFleet({ leaseSeconds: 5, workersOffMs: [0, 0] });
}, 180_000);
afterAll(() => fleet.stop(), 60_000);

/** Everything in it is gone and everybody's connection is cut; then it is made anew, empty, as an operator would. */
async function dropAndProvision(): Promise<void> {
  const { databaseUrl, nats } = fleet.servers;
  const database = openDatabase({ url: databaseUrl, applicationName: "operator", max: 1 });
  await database.run(async (sql) => {
    await sql`drop schema public cascade`;
    await sql`create schema public`;
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
  }, 60_000);
  await database.close();
  const env = { NATS_URL: nats.url, DATABASE_URL: databaseUrl, INTERLUDE_HOME: tmpdir() };
  const provision = startChild(["provision"], env);
  expect(await provision.exited, provision.output()).toBe(0);
}

async function allRuns(): Promise<RunStatus[]> {
  const asker = fleet.clientOf("asker");
  const runs: RunStatus[] = [];
  let cursor: string | undefined;
  do {
    const page = await asker.listRuns({ driver: fleet.driver, cursor });
    runs.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return runs;
}

it(
  "with Postgres dropped and made anew in the middle, twice, every run resumes once, and its list is the same again",
  { timeout: 400_000 },
  async () => {
    const fanOut = startFanOut({
      ...{ asker: fleet.clientOf("asker"), answerer: fleet.clientOf("answerer"), driver: fleet.driver },
      ...{ runs: RUNS, asks: 8, expiring: 0.3, expiryMs: [15_000, 25_000], random: seededRandom(2) },
    });
    for (const share of [0.3, 0.7]) {
      await eventually(() => fanOut.parked() >= RUNS * share, { withinMs: 120_000 });
      await dropAndProvision();
    }
    const expected = await fanOut.done;
    await eventually(
      async () => {
        const { resumed } = await readRunStory(fleet.servers.nats.url, fleet.driver);
        expect(resumed.length).toBeGreaterThanOrEqual(RUNS);
      },
      { withinMs: 180_000, everyMs: 1_000 },
    );
    const story = await readRunStory(fleet.servers.nats.url, fleet.driver);
    expect(faultsOfRuns(expected, story, await fleet.effects())).toEqual([]);

    const before = await eventually(
      async () => {
        const runs = await allRuns();
        expect(runs.map(({ state }) => state)).toEqual(Array.from({ length: RUNS }, () => "resumed"));
        return runs;
      },
      { withinMs: 60_000, everyMs: 500 },
    );
    await dropAndProvision();
    await eventually(
      async () => {
        expect(await allRuns()).toEqual(before);
      },
      { withinMs: 120_000, everyMs: 500 },
    );
  },
);
