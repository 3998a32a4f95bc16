import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually, temporaryHome } from "@interlude/testing";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 40_000;

const DevFile = z.object({
  url: z.string(),
  api_key: z.string(),
  nats_url: z.string(),
  database_url: z.string(),
  pid: z.number(),
  processes: z.object({ nats: z.number().optional() }),
});

/** The product as `dev` starts it: one process beside this one, on embedded servers of its own. */
export type Composition = {
  url: string;
  apiKey: string;
  natsUrl: string;
  databaseUrl: string;
  pid: number;
  natsPid: number | undefined;
  /** From the start of the process until everything answered. */
  readyMs: number;
  stop(): Promise<void>;
};

export type StartOptions = {
  /** A home to start on and to leave; without it a fresh one that goes with the process. */
  home?: string;
  nodeArguments?: readonly string[];
  /** Further environment variables. */
  environment?: Readonly<Record<string, string>>;
};

export async function startComposition(options: StartOptions = {}): Promise<Composition> {
  const home = options.home ?? temporaryHome("bench");
  const startedAt = performance.now();
  const args = [...(options.nodeArguments ?? []), "--import", "tsx", "infra/compose/src/main.ts", "dev"];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      ...inherited(),
      INTERLUDE_HOME: home,
      PORT: "0",
      INTERLUDE_DEMO: "0",
      INTERLUDE_LOG_LEVEL: "error",
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => (output = (output + part).slice(-10_000)));
  }
  const file = join(home, "dev.json");
  await eventually(() => existsSync(file) || child.exitCode !== null, {
    withinMs: READY_WITHIN_MS,
    everyMs: 5,
  });
  if (!existsSync(file)) throw new Error(`dev ended with ${String(child.exitCode)}:\n${output}`);
  const readyMs = performance.now() - startedAt;
  const dev = DevFile.parse(JSON.parse(readFileSync(file, "utf8")));
  return {
    url: dev.url,
    apiKey: dev.api_key,
    natsUrl: dev.nats_url,
    databaseUrl: dev.database_url,
    pid: dev.pid,
    natsPid: dev.processes.nats,
    readyMs,
    async stop() {
      await end(child);
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGINT");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await exited;
  clearTimeout(late);
}

/** What a process needs of ours; none of our own settings. */
function inherited(): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = "" } = process.env;
  return { PATH, HOME, ...(TMPDIR === "" ? {} : { TMPDIR }) };
}
