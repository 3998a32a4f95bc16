import { join } from "node:path";
import { DURABLES, type Log, openLog, STREAMS } from "@interlude/event-log";
import { eventually, freePort, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Child, startChild } from "../support/child-process.ts";
import { type Held, heldBy, memoryProbe } from "../support/memory-probe.ts";
import { seedParkedRuns } from "../support/seed-parked.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

/** More than what a process keeps of the events it read last, whatever their number. */
const BEFORE = 2_500;
const RUNS = 2_500;
const ROUNDS = 3;
/** A set with one id a run would come to more. */
const BYTES_A_RUN = 150;
const WITHIN = { timeout: 60_000, interval: 50 };

type Probed = { child: Child; url: string; file: string };

const home = temporaryHome("memory");
let servers: Interlude;
let log: Log;
/** It starts first, and so is the one that writes the rows of runs. */
let coordinator: Probed;
/** Every service; its own coordinator only follows. */
let all: Probed;
const children: Child[] = [];

beforeAll(async () => {
  servers = await startInterlude();
  await servers.detach();
  log = await openLog({ url: servers.nats.url, service: "test" });
  coordinator = await start("coordinator", ["service", "resume-coordinator"]);
  all = await start("all", ["serve"]);
}, 120_000);

afterAll(async () => {
  await log.close();
  await Promise.all(children.map((child) => child.kill()));
  await servers.stop();
});

it("a run that waits holds neither memory nor a timer, in no service", { timeout: 120_000 }, async () => {
  await registerDriver();
  await park(BEFORE);
  const found = [await held()];
  for (let round = 0; round < ROUNDS; round++) {
    await park(RUNS);
    found.push(await held());
  }
  for (const name of ["coordinator", "all"] as const) {
    const rounds = found.map((each) => each[name]);
    expect(leastGrowth(rounds) / RUNS, `bytes a run in ${name}`).toBeLessThan(BYTES_A_RUN);
    const [first, last] = [rounds[0]?.active ?? NaN, rounds.at(-1)?.active ?? NaN];
    expect(last - first, `timers and sockets in ${name}`).toBeLessThan(RUNS / 100);
  }
});

/** What is held for a run is held in every round; what a round has warmed up is not needed again. */
function leastGrowth(rounds: readonly Held[]): number {
  return Math.min(...rounds.slice(1).map(({ bytes }, index) => bytes - (rounds[index]?.bytes ?? 0)));
}

async function held(): Promise<Record<"coordinator" | "all", Held>> {
  const [one, other] = await Promise.all(
    [coordinator, all].map(({ child, file }) => heldBy(child.pid, file)),
  );
  if (one === undefined || other === undefined) throw new Error("a process was not asked");
  return { coordinator: one, all: other };
}

async function registerDriver(): Promise<void> {
  const body = JSON.stringify({ name: "memory", checkpointer: { kind: "postgres" } });
  const headers = { authorization: `Bearer ${servers.keys.asker}`, "content-type": "application/json" };
  const reply = await fetch(`${coordinator.url}/api/drivers`, { method: "POST", headers, body });
  expect(reply.status).toBe(201);
}

/** Until every reader has them. */
async function park(count: number): Promise<void> {
  const { lastAsked, lastParked } = await seedParkedRuns(log, "memory", count, "ann");
  const get = async (url: string) => {
    const reply = await fetch(url, { headers: { authorization: `Bearer ${servers.keys.asker}` } });
    return { status: reply.status, text: await reply.text() };
  };
  const shown = () => get(`${coordinator.url}/api/runs?interaction_id=${lastParked}`);
  await expect.poll(async () => (await shown()).text, WITHIN).toContain(lastParked.slice(0, 8));
  const listed = () => get(`${all.url}/api/interactions?page_size=1&at_least=${lastAsked}`);
  await expect.poll(async () => (await listed()).status, WITHIN).toBe(200);
  const unarmed = async () => {
    const info = await log.manager.consumers.info(STREAMS.interactions, DURABLES.expiryLifecycle);
    return info.num_pending + info.num_ack_pending;
  };
  await expect.poll(unarmed, WITHIN).toBe(0);
}

async function start(name: string, args: readonly string[]): Promise<Probed> {
  const [port, file] = [await freePort(), join(home, `${name}.json`)];
  const child = startChild(args, {
    ...servers.shared,
    ...memoryProbe(file),
    PORT: String(port),
    INTERLUDE_HOME: join(home, name),
    INTERLUDE_API_KEYS_FILE: servers.apiKeysFile,
    INTERACTIONS_PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    INTERLUDE_LOG_LEVEL: "error",
    // The one thing that is kept of open questions, up to its stated size: full before the first look.
    INTERLUDE_REMEMBERED_QUESTIONS_MB: "1",
    NATS_URL: servers.nats.url,
    DATABASE_URL: servers.databaseUrl,
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  const ready = () => fetch(`${url}/readyz`).then(({ ok }) => ok);
  await eventually(async () => child.exitCode() !== null || (await ready()), { withinMs: 60_000 });
  if (child.exitCode() !== null) throw new Error(`${name} ended:\n${child.output()}`);
  return { child, url, file };
}
