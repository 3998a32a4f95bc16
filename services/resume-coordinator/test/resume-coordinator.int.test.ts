import {
  createDriverStore,
  createInteractionStore,
  createRunStore,
  type Log,
  openLog,
  provisionLog,
  readForward,
  readRunsForward,
} from "@interlude/event-log";
import { type Database, migrate, openDatabase } from "@interlude/postgres";
import {
  applyRunBatch,
  foldRunBatch,
  listRuns,
  rebuild,
  readPositions,
  RUN_MIGRATIONS,
  type RunModelEntry,
} from "@interlude/run-model";
import type { Service } from "@interlude/service-kit";
import { createDatabase, eventually, type OwnServer, startOwnNats } from "@interlude/testing";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { type ParkDeps, parkRun } from "../src/application/park-run.ts";
import { createStorer, requestedRuns, startCoordinator, storedRuns } from "./coordinator-under-test.ts";

let nats: OwnServer;
let log: Log;
let database: Database;
let storer: ReturnType<typeof createStorer>;
let running: Service[];
let drop: () => Promise<void>;

beforeEach(async () => {
  nats = await startOwnNats();
  const admin = await openLog({ url: nats.url, service: "provision" });
  await provisionLog(admin, { maxBytes: 256 * 1_024 * 1_024, replicas: 1 });
  await admin.close();
  log = await openLog({ url: nats.url, service: "test" });
  const created = await createDatabase(inject("postgresUrl"));
  drop = () => created.drop();
  database = openDatabase({ url: created.url, applicationName: "resume-coordinator-test", max: 8 });
  await migrate(database, [RUN_MIGRATIONS]);
  storer = createStorer(log);
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await database.close();
  await log.close();
  await nats.stop();
  await drop();
});

async function start(): Promise<Service> {
  const coordinator = await startCoordinator(nats.url, database);
  running.push(coordinator);
  return coordinator;
}

async function rows(): Promise<unknown[]> {
  const list = await listRuns(database, { limit: 500 });
  return list.ok ? list.value.items : [];
}

async function isCaughtUp(): Promise<boolean> {
  const { runs } = await database.run((sql) => readPositions(sql));
  return runs >= ((await storedRuns(log)).at(-1)?.sequence ?? 0);
}

it("with two coordinators, one of which stops, each park is asked to go on once", async () => {
  const [one] = [await start(), await start()];
  const runIds = Array.from({ length: 100 }, (_, each) => `run-${each}`);
  const work = runIds.map(async (runId, each) => {
    const ids = [await storer.ask(runId), await storer.ask(runId)];
    const [first = "", second = ""] = ids;
    if (each % 3 === 0) await storer.end(first);
    await storer.park(runId, ids);
    if (each === 50) await one.stop();
    if (each % 3 !== 0) await storer.end(first);
    await storer.end(second);
  });
  await Promise.all(work);
  running = running.slice(1);
  await eventually(async () => (await requestedRuns(log)).length >= runIds.length, { withinMs: 20_000 });
  await eventually(isCaughtUp, { withinMs: 10_000 });
  expect((await requestedRuns(log)).toSorted()).toEqual(runIds.toSorted());
});

it("a request that was lost with its process is made by the next one, without another event", async () => {
  const id = await storer.ask("lost");
  await storer.park("lost", [id]);
  await storer.end(id);
  await writeModel();
  expect(await requestedRuns(log)).toEqual([]);
  await start();
  await eventually(async () => (await requestedRuns(log)).length === 1, { withinMs: 10_000 });
});

it("emptied while it runs, the model comes back with the same rows, and nothing is asked for twice", async () => {
  await start();
  for (const runId of ["a", "b", "c"]) {
    const ids = [await storer.ask(runId), await storer.ask(runId)];
    await storer.park(runId, ids);
    for (const id of runId === "c" ? ids.slice(1) : ids) await storer.end(id);
  }
  await eventually(async () => (await requestedRuns(log)).length === 2, { withinMs: 10_000 });
  await eventually(isCaughtUp);
  const before = await rows();
  expect(before).toMatchObject([
    { runId: "c", state: "parked", remaining: 1 },
    { runId: "b", state: "resuming", remaining: 0 },
    { runId: "a", state: "resuming", remaining: 0 },
  ]);
  await rebuild(database);
  await eventually(
    async () => {
      expect(await rows()).toEqual(before);
    },
    { withinMs: 10_000 },
  );
  expect((await requestedRuns(log)).toSorted()).toEqual(["a", "b"]);
});

it(
  "a park of ten thousand questions is asked to go on by the last of them",
  { timeout: 60_000 },
  async () => {
    await start();
    const ids: string[] = [];
    for (let each = 0; each < 100; each += 1) {
      ids.push(...(await Promise.all(Array.from({ length: 100 }, () => storer.ask("large")))));
    }
    const body = { interaction_ids: ids };
    const deps = await parkDeps();
    const parked = await parkRun(deps, { owner: "ann", driver: "bot", runId: "large", body });
    expect(parked).toMatchObject({ kind: "parked", remaining: 10_000 });
    const [last = "", ...others] = ids;
    for (let from = 0; from < others.length; from += 100) {
      await Promise.all(others.slice(from, from + 100).map((id) => storer.end(id)));
    }
    await eventually(async () => (await rows())[0] !== undefined);
    await eventually(
      async () => {
        expect(await rows()).toMatchObject([{ state: "parked", remaining: 1, total: 10_000 }]);
      },
      { withinMs: 20_000 },
    );
    expect(await requestedRuns(log)).toEqual([]);
    await storer.end(last);
    await eventually(async () => (await requestedRuns(log)).length === 1);
  },
);

/** A driver, and what the door of parks needs. */
async function parkDeps(): Promise<ParkDeps> {
  const drivers = createDriverStore(log);
  const at = new Date().toISOString();
  await drivers.register({ driver: "bot", owner: "ann", checkpointer: { kind: "postgres" }, at });
  const parkedAgain = { note: () => Promise.resolve() };
  return { log, interactions: createInteractionStore(log), runs: createRunStore(log), drivers, parkedAgain };
}

/** As a coordinator that died right after its transaction. */
async function writeModel(): Promise<void> {
  const entries: RunModelEntry[] = [];
  const { signal } = new AbortController();
  const options = { fromSequence: 1, signal, onUnreadable: () => undefined };
  for await (const { sequence, entry } of readForward(log, options)) {
    entries.push({ stream: "interactions", sequence, entry });
    if (entries.length === 2) break;
  }
  for await (const each of readRunsForward(log, options)) {
    if (each.address === undefined) throw new Error("a park was stored first");
    entries.push({ stream: "runs", sequence: each.sequence, address: each.address, entry: each.entry });
    break;
  }
  const batch = foldRunBatch({ interactions: 0, runs: 0 }, entries);
  const ready = await database.transaction((tx) => applyRunBatch(tx, batch));
  expect(ready).toHaveLength(1);
}
