import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  describeMachine,
  startNats,
  startPostgres,
  startRedis,
  type NatsOptions,
  type PostgresOptions,
  type RedisOptions,
  type RunningServer,
  type StartOptions,
} from "@interlude/infra-dev";
import { eventually } from "./eventually.ts";

/** A server of the test's own, on a store and port that stay the same however often it dies. */
export interface OwnServer {
  readonly url: string;
  readonly pid: number;
  /** As `kill -9`; returns when the process is gone. It stays away until `restart`. */
  kill(): Promise<void>;
  /** As `kill` without `-9`: it may end in order. */
  terminate(): Promise<void>;
  /** Started again on its store and port. */
  restart(): Promise<void>;
  /** The process exists but does nothing until `thaw`; returns when it has come to a halt. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Stops it and removes its store. */
  stop(): Promise<void>;
}

type Base = Omit<StartOptions, "program">;
type Start = (options: Base) => Promise<RunningServer>;

export function startOwnNats(options: Pick<NatsOptions, "configuration" | "port"> = {}): Promise<OwnServer> {
  return startOwn("nats", (base) => startNats({ ...options, ...base }), options.port);
}

export function startOwnPostgres(
  options: Pick<PostgresOptions, "fsync" | "maxConnections"> = {},
): Promise<OwnServer> {
  return startOwn("postgres", (base) => startPostgres({ fsync: false, ...options, ...base }));
}

/** The only server that is not there for every test of a run: who needs it starts it. */
export function startOwnRedis(options: Pick<RedisOptions, "fsync"> = {}): Promise<OwnServer> {
  return startOwn("redis", (base) => startRedis({ fsync: false, ...options, ...base }));
}

/** A folder that Postgres may enter as an ordinary user when the test runs as root. */
export function temporaryHome(name: string): string {
  const home = mkdtempSync(join(tmpdir(), `interlude-${name}-`));
  chmodSync(home, 0o755);
  return home;
}

async function startOwn(name: string, start: Start, fixedPort?: number): Promise<OwnServer> {
  const home = temporaryHome(name);
  const base = { home, machine: describeMachine(process.env), supervise: false, diesWithParent: true };
  let server = await start({ ...base, port: fixedPort });
  const port = Number(new URL(server.url).port);
  const pid = (): number => server.pid ?? 0;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process.kill(pid(), signal);
    await eventually(() => !exists(pid()), { withinMs: 10_000 });
  };
  return {
    url: server.url,
    get pid() {
      return pid();
    },
    kill: () => end("SIGKILL"),
    terminate: () => end("SIGTERM"),
    async restart() {
      server = await start({ ...base, port });
    },
    async freeze() {
      process.kill(pid(), "SIGSTOP");
      await eventually(() => isHalted(pid()), { withinMs: 10_000 });
    },
    thaw: () => {
      process.kill(pid(), "SIGCONT");
    },
    async stop() {
      if (exists(pid())) process.kill(pid(), "SIGCONT");
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A stop signal reaches the threads of a process one by one. */
function isHalted(pid: number): boolean {
  if (process.platform !== "linux")
    return execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("T");
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => /\) [Tt] /.test(readFileSync(`${tasks}/${task}/stat`, "utf8")));
}
