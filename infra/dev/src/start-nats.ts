import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { firstBytes } from "./first-bytes.ts";
import type { Machine } from "./machine.ts";
import { obtainNatsServer } from "./obtain-nats.ts";
import { commandOf, type Program } from "./program.ts";
import { commandLine } from "./process-identity.ts";
import { silent } from "./report.ts";
import { givenServer, runServer, type RunningServer, type RunOptions } from "./running-server.ts";
import { runProgram } from "./run-program.ts";
import type { ServerKind } from "./server-kind.ts";

export type StartOptions = Omit<RunOptions, "report"> & {
  report?: RunOptions["report"] | undefined;
  /** The project's home; the server keeps everything in a folder of its own below it. */
  home: string;
  machine: Machine;
  /** Used as it is, and nothing is started. */
  givenUrl?: string | undefined;
  /** Found already; otherwise it is looked for. */
  program?: Program | undefined;
};

export type NatsOptions = StartOptions & {
  /** More of the server's own configuration, such as users and their permissions. */
  configuration?: string | undefined;
};

/** One JetStream server with file storage below `<home>/nats`, on the loopback address only. */
export async function startNats(options: NatsOptions): Promise<RunningServer> {
  if (options.givenUrl !== undefined) return givenServer(options.givenUrl);
  const report = options.report ?? silent;
  const program = options.program ?? (await obtainNatsServer(options.machine, report));
  return runServer(natsKind(resolve(options.home, "nats"), program, options.configuration ?? ""), {
    ...options,
    report,
  });
}

function natsKind(folder: string, program: Program, more: string): ServerKind {
  const configuration = join(folder, "server.conf");
  const container = `interlude-nats-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}`;
  return {
    name: "nats",
    folder,
    stopSignal: "SIGTERM",
    dropSignal: "SIGTERM",
    async prepare(port, serverName) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        configuration,
        settings({ folder, port, serverName, inContainer: program.kind === "image", more }),
      );
      // A container outlives the client that was killed beside it.
      if (program.kind === "image") await runProgram(program.docker, ["rm", "-f", container]);
      const inside = {
        name: container,
        mount: folder,
        port,
        user: `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`,
      };
      return { ...commandOf(program, "nats-server", ["-c", configuration], inside), cwd: folder };
    },
    answers: async ({ port, serverName }) => (await greeting(port)).includes(`"server_name":"${serverName}"`),
    strayPid: () => strayPid(join(folder, "nats.pid"), configuration),
    isPassing: () => false,
    url: (port) => `nats://127.0.0.1:${port}`,
    tidyUp: () => undefined,
  };
}

type Settings = { folder: string; port: number; serverName: string; inContainer: boolean; more: string };

/** JSON is valid in this format, and quotes paths safely. */
function settings({ folder, port, serverName, inContainer, more }: Settings): string {
  return [
    `server_name: ${JSON.stringify(serverName)}`,
    `host: ${JSON.stringify(inContainer ? "0.0.0.0" : "127.0.0.1")}`,
    `port: ${port}`,
    `pid_file: ${JSON.stringify(join(folder, "nats.pid"))}`,
    // The streams bound themselves; the server's own bound (three quarters of the disk) would refuse them first.
    `jetstream: { store_dir: ${JSON.stringify(join(folder, "store"))}, max_file_store: 1PB }`,
    more,
    "",
  ].join("\n");
}

/** The server introduces itself in one line as soon as a client connects. */
async function greeting(port: number): Promise<string> {
  return (await firstBytes(port, (received) => received.includes("\r\n"))).toString();
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
