import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ServiceFailure } from "@interlude/kernel";
import { explainExit } from "./explain-exit.ts";
import type { Launch } from "./program.ts";
import type { Report } from "./report.ts";
import { runLaunch } from "./unprivileged.ts";

/** Stands in a data directory that was made completely; one without it is not trusted. */
const MARKER = "interlude-complete";

/** The major version that made the data, when there is any that is whole. */
export function dataMajor(folder: string): number | undefined {
  const data = join(folder, "data");
  if (!existsSync(join(data, MARKER))) return undefined;
  const major = Number.parseInt(readFileSync(join(data, "PG_VERSION"), "utf8"), 10);
  return Number.isInteger(major) ? major : undefined;
}

export type MakeData = {
  folder: string;
  owner: { uid: number; gid: number } | undefined;
  report: Report;
  /** A run of `initdb`, or of `postgres`, with these arguments. */
  launch(executable: "initdb" | "postgres", args: string[]): Launch;
};

/** Makes the data directory, or keeps the one that is there; what was left half made is set aside. */
export async function ensureData(make: MakeData): Promise<void> {
  const { folder, report } = make;
  const data = join(folder, "data");
  for (const draft of readdirSync(folder).filter((name) => name.startsWith("data.part"))) {
    rmSync(join(folder, draft), { recursive: true, force: true });
  }
  if (existsSync(join(data, MARKER))) {
    giveTo(data, make.owner);
    return;
  }
  if (existsSync(data)) {
    const aside = `${data}.incomplete-${Date.now()}`;
    renameSync(data, aside);
    report(`postgres: a half-written data directory was set aside as ${aside}`);
  }
  report("postgres: making the data directory");
  const draft = join(folder, "data.part");
  mkdirSync(draft, { mode: 0o700 });
  giveTo(draft, make.owner);
  await initialise(make, draft);
  writeFileSync(join(draft, MARKER), "");
  renameSync(draft, data);
}

async function initialise(make: MakeData, draft: string): Promise<void> {
  const flags = ["-D", draft, "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"];
  const made = await runLaunch(make.launch("initdb", flags), 120_000);
  if (made.exitCode !== 0) throw failed(make.folder, `${made.stdout}${made.stderr}`);
  const single = make.launch("postgres", ["--single", "-D", draft, "postgres"]);
  const created = await runLaunch(single, 60_000, "CREATE DATABASE interlude\n");
  if (created.exitCode !== 0) throw failed(make.folder, `${created.stdout}${created.stderr}`);
}

function failed(folder: string, log: string): ServiceFailure {
  return explainExit({ server: "postgres", folder, port: 0, log, logPath: "(not kept)" });
}

/** As root the way to run Postgres may differ from the last start's, and with it the owner it insists on. */
function giveTo(path: string, owner: MakeData["owner"]): void {
  if (owner === undefined || lstatSync(path).uid === owner.uid) return;
  giveAll(path, owner);
}

function giveAll(path: string, owner: { uid: number; gid: number }): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  chownSync(path, owner.uid, owner.gid);
  if (!entry.isDirectory()) return;
  for (const name of readdirSync(path)) giveAll(join(path, name), owner);
}
