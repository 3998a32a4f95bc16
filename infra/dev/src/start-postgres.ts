import { createHash } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ServiceFailure } from "@interlude/kernel";
import { firstBytes } from "./first-bytes.ts";
import { obtainPostgresBinaries } from "./obtain-postgres.ts";
import { dataMajor, ensureData } from "./postgres-data.ts";
import { copyPostgres } from "./postgres-package.ts";
import { commandOf, type Launch, type Program } from "./program.ts";
import { commandLine } from "./process-identity.ts";
import { silent, type Report } from "./report.ts";
import { runProgram } from "./run-program.ts";
import { givenServer, runServer, type RunningServer } from "./running-server.ts";
import type { ServerKind } from "./server-kind.ts";
import type { StartOptions } from "./start-nats.ts";
import { asIs, canUse, demote, ownerOf, waysToDemote, type Demotion } from "./unprivileged.ts";

export type PostgresOptions = StartOptions & {
  /** False where losing the data to a power cut does not matter. */
  fsync?: boolean | undefined;
  maxConnections?: number | undefined;
};

/** The operating system's limit for a socket's path is 108 bytes with the closing zero. */
const LONGEST_SOCKET_PATH = 107;

/** One Postgres below `<home>/postgres`, on the loopback address only, with a database `interlude`. */
export async function startPostgres(options: PostgresOptions): Promise<RunningServer> {
  if (options.givenUrl !== undefined) return givenServer(options.givenUrl);
  const report = options.report ?? silent;
  const folder = resolve(options.home, "postgres");
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const major = dataMajor(folder);
  const program = options.program ?? (await obtainPostgresBinaries(options.machine, report, { major }));
  const { machine } = options;
  const usable = await withoutRoot(program, folder, machine.searchPath, machine.platform.isRoot, report);
  return runServer(postgresKind({ folder, ...usable, options, report }), { ...options, report });
}

type Usable = { program: Program; demotion: Demotion };

/** Chooses how the server runs without root's rights, copying its files where they cannot be reached. */
async function withoutRoot(
  program: Program,
  folder: string,
  searchPath: readonly string[],
  isRoot: boolean,
  report: Report,
): Promise<Usable> {
  if (!isRoot) return { program, demotion: asIs };
  // A container takes its user by number; nothing of ours is run as root there.
  if (program.kind === "image") return { program, demotion: { kind: "nobody", uid: 65_534, gid: 65_534 } };
  const ways = waysToDemote(isRoot, searchPath);
  for (const demotion of ways) {
    if (await canUse(demotion, join(program.folder, "postgres"), folder)) return { program, demotion };
  }
  report("postgres: copying the server to /var/tmp, where an ordinary user can reach it (59 MB)");
  const copied = {
    ...program,
    folder: join(copyPostgres(dirname(program.folder), ownFolder("/var/tmp/interlude-postgres")), "bin"),
  };
  for (const demotion of ways) {
    if (await canUse(demotion, join(copied.folder, "postgres"), folder)) return { program: copied, demotion };
  }
  throw new ServiceFailure("home_damaged", {
    retry: "never",
    context: { folder },
    message: `Postgres refuses to run as root, and the user nobody cannot enter ${folder}; set INTERLUDE_HOME to a folder that every user can enter, or start as an ordinary user`,
  });
}

/** A folder in a place where everybody may write is used only when it is really ours. */
function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  if (statSync(path).uid === process.getuid?.()) return path;
  throw new ServiceFailure("home_damaged", {
    retry: "never",
    message: `${path} belongs to somebody else; remove it`,
  });
}

type KindOptions = Usable & { folder: string; options: PostgresOptions; report: Report };

function postgresKind({ folder, program, demotion, options, report }: KindOptions): ServerKind {
  const data = join(folder, "data");
  const owner = ownerOf(demotion);
  const digest = createHash("sha256").update(folder).digest("hex").slice(0, 12);
  const container = `interlude-postgres-${digest}`;
  const launch = (executable: string, args: string[], port?: number): Launch => {
    const user = `${owner?.uid ?? process.getuid?.() ?? 0}:${owner?.gid ?? process.getgid?.() ?? 0}`;
    const inside = { name: container, mount: folder, user, ...(port === undefined ? {} : { port }) };
    if (program.kind === "image") return { ...commandOf(program, executable, args, inside), cwd: folder };
    return demote({ ...commandOf(program, executable, args, inside), cwd: folder }, demotion);
  };
  return {
    name: "postgres",
    folder,
    stopSignal: "SIGINT",
    dropSignal: "SIGQUIT",
    async prepare(port) {
      if (program.kind === "image") await runProgram(program.docker, ["rm", "-f", container]);
      if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
      await ensureData({ folder, owner, report, launch });
      rmSync(join(data, "postmaster.pid"), { force: true });
      const sockets = makeSocketFolder(socketFolder(folder, digest), owner);
      return launch(
        "postgres",
        serverArguments({ data, port, sockets, options, inContainer: program.kind === "image" }),
        port,
      );
    },
    answers: async ({ port, pid }) =>
      (program.kind === "image" || postmasterPid(data) === pid) && (await takesConnections(port)),
    strayPid: () => strayPid(data),
    isPassing: (log) =>
      /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(log),
    url: (port) => `postgres://postgres@127.0.0.1:${port}/interlude`,
    tidyUp() {
      rmSync(socketFolder(folder, digest), { recursive: true, force: true });
    },
  };
}

type Arguments = {
  data: string;
  port: number;
  sockets: string;
  options: PostgresOptions;
  inContainer: boolean;
};

function serverArguments({ data, port, sockets, options, inContainer }: Arguments): string[] {
  // Commits stay synchronous: without that even the death of the process alone would lose some.
  const durable = options.fsync === false ? ["fsync=off", "full_page_writes=off"] : [];
  const settings = [
    `listen_addresses=${inContainer ? "0.0.0.0" : "127.0.0.1"}`,
    `unix_socket_directories=${sockets}`,
    `max_connections=${options.maxConnections ?? 200}`,
    "timezone=UTC",
    "log_timezone=UTC",
    ...durable,
  ];
  return ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
}

/** In the home where the path is short enough, else in the temporary folder under a name of its own. */
function socketFolder(folder: string, digest: string): string {
  const longest = join(folder, "socket", ".s.PGSQL.65535.lock");
  const fits = Buffer.byteLength(longest) <= LONGEST_SOCKET_PATH;
  return fits ? join(folder, "socket") : join(tmpdir(), `interlude-${digest}`);
}

/** The temporary folder is everybody's: a folder of that name is used only when it is the server's own. */
function makeSocketFolder(path: string, owner: { uid: number; gid: number } | undefined): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const holder = statSync(path).uid;
  if (holder !== owner?.uid && holder !== process.getuid?.()) {
    throw new ServiceFailure("home_damaged", {
      retry: "never",
      message: `${path} belongs to somebody else; remove it`,
    });
  }
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
  chmodSync(path, 0o700);
  return path;
}

function postmasterPid(data: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function strayPid(data: string): number | undefined {
  const pid = postmasterPid(data);
  return pid !== undefined && commandLine(pid).includes(data) ? pid : undefined;
}

/** A start-up message of protocol 3.0; while it recovers, the server answers it with an error. */
async function takesConnections(port: number): Promise<boolean> {
  const parameters = Buffer.from("user\0postgres\0database\0interlude\0\0");
  const message = Buffer.alloc(8 + parameters.length);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(196_608, 4);
  parameters.copy(message, 8);
  const answer = await firstBytes(port, (received) => received.length > 0, message);
  return answer.toString("latin1", 0, 1) === "R";
}
