import { setTimeout as delay } from "node:timers/promises";
import { ServiceFailure } from "@interlude/kernel";
import { bringUp, type LiveServer } from "./bring-up.ts";
import { endProcess } from "./end-process.ts";
import { guardAgainstOrphan } from "./orphan-guard.ts";
import { isAlive } from "./process-identity.ts";
import type { Report } from "./report.ts";
import type { ServerKind } from "./server-kind.ts";
import { forgetServer } from "./server-state.ts";

/** A server to use. One that this library started is started again, on its data and port, when it dies. */
export interface RunningServer {
  readonly url: string;
  /** Of the process as it is now; nothing for a server that was given by its URL. */
  readonly pid: number | undefined;
  /** Stops the server and returns when it is gone; a given server is left alone. Safe to call twice. */
  stop(): Promise<void>;
}

export type RunOptions = {
  report: Report;
  /** Fails with `port_taken` instead of choosing another. */
  port?: number | undefined;
  /** Called with the new process id after the server died and came back. */
  onRestart?: ((pid: number) => void) | undefined;
  /** Also ends the server when this process is killed; for tests. By default it is left to be adopted. */
  diesWithParent?: boolean | undefined;
  /** False leaves a dead server dead. */
  supervise?: boolean | undefined;
};

const WATCH_EVERY_MS = 100;
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 10_000;
const STEADY_AFTER_MS = 30_000;
const STOP_PATIENCE_MS = 20_000;

export function givenServer(url: string): RunningServer {
  return { url, pid: undefined, stop: () => Promise.resolve() };
}

export async function runServer(kind: ServerKind, options: RunOptions): Promise<RunningServer> {
  let live = await bringUp(kind, options.report, options.port);
  let unguard = guard(kind, live, options);
  const stopping = new AbortController();

  const restarted = (next: LiveServer): void => {
    unguard();
    live = next;
    unguard = guard(kind, live, options);
    options.onRestart?.(live.process.pid);
  };
  const watching =
    options.supervise === false
      ? Promise.resolve()
      : watch(kind, options, () => live, restarted, stopping.signal);

  const stop = async (): Promise<void> => {
    stopping.abort();
    await watching;
    unguard();
    await endProcess(live.process, kind.stopSignal, STOP_PATIENCE_MS);
    forgetServer(kind.folder);
    kind.tidyUp();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: kind.url(live.port),
    get pid() {
      return live.process.pid;
    },
    stop: () => (stopped ??= stop()),
  };
}

function guard(kind: ServerKind, live: LiveServer, options: RunOptions): () => void {
  if (options.diesWithParent !== true) return () => undefined;
  return guardAgainstOrphan(live.process.pid, kind.dropSignal);
}

/** Starts the server again whenever it died, waiting longer each time it does not last. */
async function watch(
  kind: ServerKind,
  { report }: RunOptions,
  current: () => LiveServer,
  restarted: (next: LiveServer) => void,
  signal: AbortSignal,
): Promise<void> {
  let backoffMs = FIRST_BACKOFF_MS;
  let aliveSince = performance.now();
  while (await died(current(), signal)) {
    if (performance.now() - aliveSince > STEADY_AFTER_MS) backoffMs = FIRST_BACKOFF_MS;
    report(`${kind.name}: the server died; starting it again on its data`);
    for (;;) {
      await pause(backoffMs, signal);
      if (signal.aborted) return;
      backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
      try {
        restarted(await bringUp(kind, report, current().port));
        break;
      } catch (error) {
        report(`${kind.name}: ${describe(error)}; trying again in ${Math.round(backoffMs / 1000)} s`);
      }
    }
    aliveSince = performance.now();
  }
}

/** Waits until the server is gone (true) or nobody wants to know any more (false). */
async function died({ process }: LiveServer, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (!isAlive(process)) return true;
    await pause(WATCH_EVERY_MS, signal);
  }
  return false;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

function describe(error: unknown): string {
  if (error instanceof ServiceFailure) return error.message;
  return error instanceof Error ? error.message : String(error);
}
