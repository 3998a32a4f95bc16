import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { firstBytes } from "./first-bytes.ts";
import { obtainRedisServer } from "./obtain-redis.ts";
import { commandLine } from "./process-identity.ts";
import { commandOf } from "./program.ts";
import type { RedisProgram } from "./redis-program.ts";
import { silent } from "./report.ts";
import { givenServer, runServer, type RunningServer } from "./running-server.ts";
import { runProgram } from "./run-program.ts";
import type { ServerKind } from "./server-kind.ts";
import type { StartOptions } from "./start-nats.ts";

export type RedisOptions = Omit<StartOptions, "program"> & {
  program?: RedisProgram | undefined;
  /** False where losing the data to a power cut does not matter. */
  fsync?: boolean | undefined;
};

/** One Redis or Valkey that keeps its data below `<home>/redis`, on the loopback address only. */
export async function startRedis(options: RedisOptions): Promise<RunningServer> {
  if (options.givenUrl !== undefined) return givenServer(options.givenUrl);
  const report = options.report ?? silent;
  const program = options.program ?? (await obtainRedisServer(options.machine, report));
  const kind = redisKind(resolve(options.home, "redis"), program, options.fsync !== false);
  return runServer(kind, { ...options, report });
}

function redisKind(folder: string, program: RedisProgram, fsync: boolean): ServerKind {
  const configuration = join(folder, "server.conf");
  const container = `interlude-redis-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}`;
  return {
    name: "redis",
    folder,
    stopSignal: "SIGTERM",
    dropSignal: "SIGTERM",
    async prepare(port) {
      mkdirSync(join(folder, "store"), { recursive: true });
      writeFileSync(configuration, settings(folder, port, program.kind === "image", fsync));
      // A container outlives the client that was killed beside it.
      if (program.kind === "image") await runProgram(program.docker, ["rm", "-f", container]);
      const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
      const inside = { name: container, mount: folder, port, user };
      return { ...commandOf(program, program.executable, [configuration], inside), cwd: folder };
    },
    async answers({ port, pid }) {
      const told = await info(port);
      const isOurs = told.has(`config_file:${configuration}`);
      const isThis = program.kind === "image" || told.has(`process_id:${pid}`);
      // While it reads its data it answers this and nothing else.
      return isOurs && isThis && told.has("loading:0");
    },
    strayPid: () => strayPid(join(folder, "redis.pid"), configuration),
    isPassing: () => false,
    url: (port) => `redis://127.0.0.1:${port}`,
    tidyUp: () => undefined,
  };
}

function settings(folder: string, port: number, inContainer: boolean, fsync: boolean): string {
  return [
    `bind ${inContainer ? "0.0.0.0" : "127.0.0.1"}`,
    // From outside the container everybody is another host; only the loopback address is published.
    `protected-mode ${inContainer ? "no" : "yes"}`,
    `port ${port}`,
    `dir ${JSON.stringify(join(folder, "store"))}`,
    `pidfile ${JSON.stringify(join(folder, "redis.pid"))}`,
    // The command line stays as it was given: by it a stray server is recognised.
    "set-proc-title no",
    'save ""',
    "appendonly yes",
    // Without a flush the data is with the system when a command is answered: a killed process loses nothing.
    `appendfsync ${fsync ? "always" : "no"}`,
    "maxmemory-policy noeviction",
    "",
  ].join("\n");
}

/** The lines of the server's own description; none when it does not answer. */
async function info(port: number): Promise<ReadonlySet<string>> {
  const isWhole = (received: Buffer): boolean => {
    const [head = "", length] = /^\$(\d+)\r\n/.exec(received.toString("latin1", 0, 32)) ?? [];
    return length === undefined
      ? received.includes("\r\n")
      : received.length >= head.length + Number(length) + 2;
  };
  const reply = await firstBytes(port, isWhole, Buffer.from("INFO\r\n"));
  return new Set(reply.toString().split("\r\n"));
}

/** A process that still runs with that configuration although nobody recorded it. */
function strayPid(pidFile: string, configuration: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, "utf8").trim());
    return Number.isInteger(pid) && pid > 1 && commandLine(pid).includes(configuration) ? pid : undefined;
  } catch {
    return undefined;
  }
}
