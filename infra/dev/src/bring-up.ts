import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ServiceFailure } from "@interlude/kernel";
import { endPid, endProcess } from "./end-process.ts";
import { explainExit } from "./explain-exit.ts";
import { withFileLock } from "./file-lock.ts";
import { freePort, isPortFree } from "./free-port.ts";
import { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";
import type { Report } from "./report.ts";
import type { ServerKind } from "./server-kind.ts";
import { serverLog } from "./server-log.ts";
import {
  forgetServer,
  readServerState,
  rememberedPort,
  rememberPort,
  writeServerState,
} from "./server-state.ts";
import { waitUntil } from "./wait-until.ts";

export type LiveServer = { process: ProcessIdentity; port: number; adopted: boolean };

/** A store with hundreds of thousands of schedules needs long to start; while the process lives it is given time. */
const START_PATIENCE_MS = 120_000;
const ADOPTION_PATIENCE_MS = 8_000;
/** One that does not answer is not given long to end well either. */
const UNRESPONSIVE_PATIENCE_MS = 4_000;
const STOP_PATIENCE_MS = 20_000;
const PASSING_PATIENCE_MS = 15_000;

/** Brings a folder's server up: adopts the one a predecessor left, or starts one. One start at a time. */
export function bringUp(kind: ServerKind, report: Report, fixedPort?: number): Promise<LiveServer> {
  mkdirSync(kind.folder, { recursive: true });
  return withFileLock(
    join(kind.folder, "start.lock"),
    {
      withinMs: START_PATIENCE_MS + 60_000,
      report,
      holding: `it is starting ${kind.name} in ${kind.folder}`,
    },
    async () => (await adopt(kind, report)) ?? (await startAnew(kind, report, fixedPort)),
  );
}

async function adopt(kind: ServerKind, report: Report): Promise<LiveServer | undefined> {
  const left = readServerState(kind.folder);
  if (left !== undefined && isAlive(left)) {
    await waitUntil(async () => (await kind.answers(left)) || !isAlive(left), {
      withinMs: ADOPTION_PATIENCE_MS,
      everyMs: 100,
    });
    if (isAlive(left) && (await kind.answers(left))) {
      report(
        `${kind.name}: going on with the server that is already running (pid ${left.pid}, port ${left.port})`,
      );
      return { process: { pid: left.pid, startedAt: left.startedAt }, port: left.port, adopted: true };
    }
    report(`${kind.name}: stopping a predecessor's server that does not answer (pid ${left.pid})`);
    await endProcess(left, kind.stopSignal, UNRESPONSIVE_PATIENCE_MS);
  }
  const stray = kind.strayPid();
  if (stray !== undefined) {
    report(`${kind.name}: stopping a server that was left in ${kind.folder} (pid ${stray})`);
    await endPid(stray, kind.stopSignal, STOP_PATIENCE_MS);
  }
  forgetServer(kind.folder);
  return undefined;
}

async function startAnew(
  kind: ServerKind,
  report: Report,
  fixedPort: number | undefined,
): Promise<LiveServer> {
  const giveUpAt = performance.now() + PASSING_PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    const port = fixedPort ?? (await choosePort(kind, attempt));
    const started = await startOnce(kind, port);
    if ("process" in started) {
      rememberPort(kind.folder, port);
      report(`${kind.name}: ready on port ${port} (pid ${started.process.pid})`);
      return started;
    }
    // Between choosing a port and using it, somebody else may have taken it.
    const isRace = started.failure.code === "port_taken" && fixedPort === undefined && attempt < 5;
    const isPassing = kind.isPassing(started.log) && performance.now() < giveUpAt;
    if (!isRace && !isPassing) throw started.failure;
    if (isPassing) await delay(250);
  }
}

async function choosePort(kind: ServerKind, attempt: number): Promise<number> {
  const remembered = rememberedPort(kind.folder);
  if (attempt === 1 && remembered !== undefined && (await isPortFree(remembered))) return remembered;
  return freePort();
}

type NotStarted = { failure: ServiceFailure; log: string };

async function startOnce(kind: ServerKind, port: number): Promise<LiveServer | NotStarted> {
  const serverName = `interlude-${randomBytes(6).toString("hex")}`;
  const launch = await kind.prepare(port, serverName);
  const log = serverLog(kind.folder);
  const output = log.openForChild();
  const { command, args, ...rest } = launch;
  // A process group of its own: Ctrl-C in the terminal reaches whoever started us, who stops us in order.
  const child = spawn(command, args, { ...rest, detached: true, stdio: ["ignore", output, output] });
  log.close(output);
  const fate = { ended: false, error: "" };
  child.on("error", (error) => {
    fate.ended = true;
    fate.error = error.message;
  });
  child.on("exit", () => (fate.ended = true));
  child.unref();

  const pid = child.pid;
  const process = pid === undefined ? undefined : identify(pid);
  if (pid !== undefined) writeServerState(kind.folder, pid, { port, serverName });
  const answered = await waitUntil(
    async () => fate.ended || (pid !== undefined && (await kind.answers({ pid, port, serverName }))),
    { withinMs: START_PATIENCE_MS, everyMs: 30 },
  );
  if (answered && !fate.ended && process !== undefined) return { process, port, adopted: false };

  if (!fate.ended && process !== undefined) await endProcess(process, kind.stopSignal, STOP_PATIENCE_MS);
  forgetServer(kind.folder);
  const said = `${log.sinceOpened()}${fate.error}${fate.ended ? "" : "\n(not ready within two minutes)"}`;
  return {
    log: said,
    failure: explainExit({ server: kind.name, folder: kind.folder, port, log: said, logPath: log.path }),
  };
}
