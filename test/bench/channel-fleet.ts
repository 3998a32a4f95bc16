import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createLeaseStore, type Log, openLog, provisionLog } from "@interlude/event-log";
import { PARTITIONS } from "@interlude/kernel";
import { generateKeyring } from "@interlude/secrets";
import { eventually, startOwnNats, temporaryHome } from "@interlude/testing";
import { processFigures } from "./process-figures.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LOG_BYTES = 1_073_741_824;
const SHARED_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 20_000;

/** Dispatchers, each a process as an operator starts it, on a log of their own. */
export type ChannelFleet = {
  log: Log;
  /** Until this many processes have equal shares of the channel; those that are too many are stopped. */
  scaleTo(count: number): Promise<void>;
  /** Processor time of the dispatchers that run now. */
  cpuSeconds(): number;
  close(): Promise<void>;
};

export type FleetOptions = {
  channels: readonly string[];
  /** Whose leases say that the fleet is ready. */
  watched: string;
  variables: Readonly<Record<string, string>>;
};

export async function startChannelFleet(options: FleetOptions): Promise<ChannelFleet> {
  const nats = await startOwnNats();
  const home = temporaryHome("bench-fleet");
  const admin = await openLog({ url: nats.url, service: "provision" });
  await provisionLog(admin, { maxBytes: LOG_BYTES, replicas: 1 }, options.channels);
  await admin.close();
  const log = await openLog({ url: nats.url, service: "bench" });
  const environment = {
    ...inherited(),
    ...options.variables,
    INTERLUDE_HOME: home,
    INTERLUDE_TICKET_KEYS: generateKeyring(),
    INTERLUDE_DATA_KEYS: generateKeyring(),
    INTERLUDE_SESSION_KEYS: generateKeyring(),
    INTERLUDE_LOG_LEVEL: "error",
    INTERACTIONS_PUBLIC_BASE_URL: "http://127.0.0.1:8787",
    NATS_URL: nats.url,
    // A dispatcher needs no database.
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    PORT: "0",
  };
  const running: ChildProcess[] = [];
  const stopLast = async (): Promise<void> => {
    const child = running.pop();
    if (child !== undefined) await end(child);
  };
  return {
    log,
    async scaleTo(count) {
      while (running.length > count) await stopLast();
      while (running.length < count) running.push(startDispatcher(environment));
      const fair = Array.from({ length: count }, () => PARTITIONS / count);
      await eventually(async () => String(await shares(log, options.watched)) === String(fair), {
        withinMs: SHARED_WITHIN_MS,
        everyMs: 100,
      });
    },
    cpuSeconds: () =>
      running.reduce((sum, { pid }) => sum + (processFigures(pid ?? 0)?.cpuSeconds ?? NaN), 0),
    async close() {
      await Promise.all(running.splice(0).map(end));
      await log.close();
      await nats.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function startDispatcher(env: NodeJS.ProcessEnv): ChildProcess {
  const args = ["--import", "tsx", "infra/compose/src/main.ts", "service", "channel-dispatcher"];
  return spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit"] });
}

/** How many partitions each worker holds. */
async function shares(log: Log, channel: string): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const { holder } of await createLeaseStore(log).list(`${channel}.partition`)) {
    if (holder !== "") counts.set(holder, (counts.get(holder) ?? 0) + 1);
  }
  return [...counts.values()];
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await exited;
  clearTimeout(late);
}

/** What a process needs of ours; none of our own settings. */
function inherited(): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = "" } = process.env;
  return { PATH, HOME, ...(TMPDIR === "" ? {} : { TMPDIR }) };
}
