import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { findOnPath } from "./find-on-path.ts";
import type { Machine } from "./machine.ts";
import { natsVersion, OLDEST_NATS } from "./nats-version.ts";
import { openPrivateApt } from "./private-apt.ts";
import type { Program } from "./program.ts";
import { foldersOnShelf, isIntact, seal, withWorkshop } from "./program-shelf.ts";
import type { Report } from "./report.ts";
import { runProgram } from "./run-program.ts";
import { isAtLeast, readVersion } from "./version.ts";

/** Newest first: what a stable release carries is usually older than what is needed. */
const SUITES = { debian: ["sid", "testing", "stable"], ubuntu: ["devel"], other: [] } as const;

/** The newest complete nats-server of the cache. */
export async function findCachedNats(cacheDir: string): Promise<Program | undefined> {
  for (const folder of foldersOnShelf(join(cacheDir, "nats-server"), OLDEST_NATS)) {
    if (!(await isIntact(join(folder, "nats-server")))) continue;
    const version = await natsVersion(join(folder, "nats-server"));
    if (version !== undefined) return { kind: "folder", folder, version, origin: "cache" };
  }
  return undefined;
}

/** Takes the server out of the distribution's package; the machine's packages stay as they are. */
export async function unpackNats(machine: Machine, report: Report): Promise<Program | undefined> {
  const suites = SUITES[machine.platform.distribution];
  const hasTools = ["apt-get", "dpkg"].every((tool) => findOnPath(machine.searchPath, tool).length > 0);
  if (suites.length === 0 || !hasTools) return undefined;
  return withWorkshop(join(machine.cacheDir, "nats-server"), async (workshop) => {
    for (const suite of suites) {
      const taken = await takeFromSuite(machine, suite, workshop, report);
      if (taken !== undefined) return taken;
    }
    return undefined;
  });
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
  await seal(join(parcel, "nats-server"));
  await seal(join(parcel, basename(archive)));

  const folder = join(shelf, version.join("."));
  rmSync(folder, { recursive: true, force: true });
  renameSync(parcel, folder);
  report(`nats: nats-server ${version.join(".")} is ready in ${folder}`);
  return { kind: "folder", folder, version, origin: "distribution package" };
}
