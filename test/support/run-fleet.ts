import { randomUUID } from "node:crypto";
import { type Database, openDatabase } from "@interlude/postgres";
import { type Client, connect } from "@interlude/sdk";
import { createDatabase, freePort } from "@interlude/testing";
import { inject } from "vitest";
import { z } from "zod";
import { toAnyProcess } from "./any-process.ts";
import { type Child, startChild, startScript } from "./child-process.ts";
import { type Interlude, type InterludeOptions, startInterlude } from "./start-interlude.ts";

const WORKER = "test/support/run-worker.ts";
const SHIFT = new URL("./shifted-clock.mjs", import.meta.url).href;

/** What a worker did for a run, by the fencing number it did it under. */
const Effect = z.object({
  run_id: z.string(),
  fencing: z.coerce.number(),
  /** By question; `null`: ended without an answer. */
  ends: z.string().transform((text) => z.record(z.string(), z.json()).parse(JSON.parse(text))),
  times: z.number(),
  worker: z.string(),
});
export type Effect = z.infer<typeof Effect>;

export type FleetOptions = {
  leaseSeconds: number;
  /** By how much the wall clock of each of these processes is off. */
  coordinatorsOffMs?: readonly number[];
  workersOffMs?: readonly number[];
  /** A resume takes up to so long, and at least so long. */
  workMs?: number;
  leastWorkMs?: number;
  servers?: Pick<InterludeOptions, "nats" | "env">;
};

/** Processes of the whole product and workers of one driver, on servers that outlive them. */
export type Fleet = {
  servers: Interlude;
  driver: string;
  coordinators: Child[];
  workers: Child[];
  /** Takes the place of what was killed. */
  restartCoordinator(index: number): Promise<void>;
  restartWorker(index: number): Promise<void>;
  /** Which goes to whichever process is there, as with a load balancer. */
  clientOf(person: "asker" | "answerer"): Client;
  effects(): Promise<Effect[]>;
  stop(): Promise<void>;
};

export async function startRunFleet(options: FleetOptions): Promise<Fleet> {
  const { coordinatorsOffMs = [0, 0], workersOffMs = [0, 0, 0, 0] } = options;
  const servers = await startInterlude(options.servers);
  await servers.detach();
  const store = await createDatabase(inject("postgresUrl"));
  const database = openDatabase({ url: store.url, applicationName: "run-fleet", max: 2 });
  await createEffects(database);
  const ports = await Promise.all(coordinatorsOffMs.map(() => freePort()));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const driver = `fleet-${randomUUID()}`;
  const serve = (index: number) =>
    startChild(["serve"], {
      ...servers.shared,
      PORT: String(ports[index]),
      NATS_URL: servers.nats.url,
      DATABASE_URL: servers.databaseUrl,
      INTERLUDE_API_KEYS_FILE: servers.apiKeysFile,
      INTERLUDE_RESUME_LEASE_SECONDS: String(options.leaseSeconds),
      // Whoever is killed uses one up.
      INTERLUDE_RESUME_ATTEMPTS: "1000",
      ...clockOff(coordinatorsOffMs[index]),
    });
  const work = (index: number) =>
    startScript(WORKER, {
      URLS: urls.join(","),
      KEY: servers.keys.asker,
      EFFECTS_URL: store.url,
      DRIVER: driver,
      WORK_MS: String(options.workMs ?? 20),
      LEAST_WORK_MS: String(options.leastWorkMs ?? 0),
      ...clockOff(workersOffMs[index]),
    });
  const coordinators = ports.map((_, index) => serve(index));
  await Promise.all(coordinators.map((each) => each.says(/ready/, 60_000)));
  const workers = workersOffMs.map((_, index) => work(index));
  await Promise.all(workers.map((each) => each.says(/ready/, 60_000)));
  const clients: Client[] = [];
  return {
    ...{ servers, driver, coordinators, workers },
    restartCoordinator: (index) => insist(coordinators, index, serve),
    restartWorker: (index) => insist(workers, index, work),
    clientOf(person) {
      const client = connect({
        url: urls[0] ?? "",
        apiKey: servers.keys[person],
        fetch: toAnyProcess(urls),
        // Longer than all the processes together are ever away.
        retrySeconds: 120,
      });
      clients.push(client);
      return client;
    },
    async effects() {
      const rows = await database.run((sql) => sql`select run_id, fencing, ends, times, worker from effects`);
      return z.array(Effect).parse([...rows]);
    },
    async stop() {
      await Promise.all([...workers, ...coordinators].map((child) => child.kill()));
      await Promise.all(clients.map((client) => client.close()));
      await database.close();
      await servers.stop();
      await store.drop();
    },
  };
}

async function createEffects(database: Database): Promise<void> {
  await database.run(
    (sql) => sql`
      create table effects (
        run_id text, fencing bigint, ends text not null, times int not null default 1, worker text not null,
        primary key (run_id, fencing)
      )`,
  );
}

function clockOff(ms = 0): Record<string, string> {
  return ms === 0 ? {} : { NODE_OPTIONS: `--import ${SHIFT}`, CLOCK_OFF_MS: String(ms) };
}

/** As whatever runs it would: one that gives up, because the log is away when it starts, is started again. */
async function insist(children: Child[], index: number, start: (index: number) => Child): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const started = (children[index] = start(index));
    const ready = await started.says(/ready/, 60_000).catch(() => undefined);
    if (ready !== undefined) return;
    await started.kill();
  }
  throw new Error(`it never started:\n${children[index]?.output() ?? ""}`);
}
