import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { findOnPath } from "./find-on-path.ts";
import type { Machine, Platform } from "./machine.ts";
import { missingPackages } from "./missing-packages.ts";
import { openPrivateApt, type PrivateApt } from "./private-apt.ts";
import { foldersOnShelf, isIntact, seal, withWorkshop } from "./program-shelf.ts";
import { OLDEST_REDIS, REDIS_EXECUTABLES, redisVersion, type RedisProgram } from "./redis-program.ts";
import type { Report } from "./report.ts";
import { runProgram } from "./run-program.ts";
import { isAtLeast, readVersion } from "./version.ts";

type Executable = RedisProgram["executable"];

/** The newest complete server of the cache. */
export async function findCachedRedis(cacheDir: string): Promise<RedisProgram | undefined> {
  for (const folder of foldersOnShelf(join(cacheDir, "redis-server"), OLDEST_REDIS)) {
    for (const executable of REDIS_EXECUTABLES) {
      if (!(await isIntact(join(folder, "libexec", executable)))) continue;
      const version = await redisVersion(join(folder, executable));
      if (version !== undefined) return { kind: "folder", folder, executable, version, origin: "cache" };
    }
  }
  return undefined;
}

/** Takes the server and its libraries out of the distribution's packages; nothing is installed. */
export async function unpackRedis(machine: Machine, report: Report): Promise<RedisProgram | undefined> {
  const tools = ["apt-get", "apt-cache", "dpkg", "dpkg-query"];
  const hasTools = tools.every((tool) => findOnPath(machine.searchPath, tool).length > 0);
  const suites = suitesFor(machine.platform);
  if (suites.length === 0 || !hasTools) return undefined;
  return withWorkshop(join(machine.cacheDir, "redis-server"), async (workshop) => {
    for (const suite of suites) {
      const taken = await takeFromSuite({ machine, suite, workshop, report });
      if (taken !== undefined) return taken;
    }
    return undefined;
  });
}

/** The machine's own release first: a program of a newer one may need a newer C library. */
function suitesFor({ distribution, codename }: Platform): string[] {
  const own = codename === "" ? [] : [codename];
  if (distribution === "debian") return [...own, "stable", "testing", "sid"];
  return distribution === "ubuntu" ? [...own, "devel"] : [];
}

type Taking = { machine: Machine; suite: string; workshop: string; report: Report };

async function takeFromSuite(taking: Taking): Promise<RedisProgram | undefined> {
  const { machine, suite, workshop, report } = taking;
  const { distribution } = machine.platform;
  report(`redis: looking for redis-server in ${distribution} ${suite} (about 11 MB of package lists)`);
  const components = distribution === "ubuntu" ? "main universe" : "main";
  const apt = await openPrivateApt(join(workshop, "apt"), suite, machine.platform, components);
  if (apt === undefined) return undefined;
  for (const executable of REDIS_EXECUTABLES) {
    const offered = await apt.candidate(executable);
    // An epoch stands before the version: `5:7.0.15-1`.
    const version = readVersion((offered ?? "").replace(/^\d+:/, ""));
    if (offered === undefined || version === undefined || !isAtLeast(version, OLDEST_REDIS)) {
      report(`redis: ${suite} offers ${offered ?? "nothing, or cannot be reached"} as ${executable}`);
      continue;
    }
    report(`redis: downloading ${executable} ${offered} and its libraries (about 2 MB)`);
    const unpacked = await unpackAll(apt, executable, join(workshop, `${suite}-${executable}`));
    const program = unpacked === undefined ? undefined : await shelve(taking, unpacked, executable);
    if (program !== undefined) return program;
  }
  return undefined;
}

/** The server's package, its tools' (which may hold the program itself), and libraries that are missing here. */
async function unpackAll(
  apt: PrivateApt,
  executable: Executable,
  folder: string,
): Promise<string | undefined> {
  const isCarrier = (name: string): boolean => /^(lib|lua|redis-|valkey-)/.test(name);
  const names = [executable, ...(await missingPackages(apt, executable, isCarrier))];
  mkdirSync(folder);
  for (const name of names) {
    const archive = await apt.download(name);
    if (archive === undefined) return undefined;
    await runProgram("dpkg", ["-x", archive, folder], { timeoutMs: 60_000 });
  }
  return folder;
}

/** Everything is made in the workshop and appears under its name in one step, complete or not at all. */
async function shelve(
  { machine, workshop, report }: Taking,
  unpacked: string,
  executable: Executable,
): Promise<RedisProgram | undefined> {
  const program = join(unpacked, "usr/bin", executable);
  if (!existsSync(program)) return undefined;
  const parcel = join(workshop, `parcel-${basename(unpacked)}`);
  for (const part of ["libexec", "lib"]) mkdirSync(join(parcel, part), { recursive: true });
  copyFileSync(program, join(parcel, "libexec", executable));
  chmodSync(join(parcel, "libexec", executable), 0o755);
  copyLibraries(unpacked, join(parcel, "lib"));
  writeFileSync(join(parcel, executable), launcher(executable), { mode: 0o755 });
  await seal(join(parcel, "libexec", executable));

  const version = await redisVersion(join(parcel, executable));
  if (version === undefined || !isAtLeast(version, OLDEST_REDIS)) {
    report(`redis: the package's ${executable} does not run here`);
    return undefined;
  }
  const folder = join(machine.cacheDir, "redis-server", version.join("."));
  rmSync(folder, { recursive: true, force: true });
  renameSync(parcel, folder);
  report(`redis: ${executable} ${version.join(".")} is ready in ${folder}`);
  return { kind: "folder", folder, executable, version, origin: "distribution package" };
}

/** Links become files: nothing here may point out of the cache. */
function copyLibraries(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory() || !/\.so(\.\d+)*$/.test(entry.name)) continue;
    copyFileSync(join(entry.parentPath, entry.name), join(to, entry.name));
  }
}

/** Becomes the server, so that its process id is the one that was started. */
function launcher(executable: Executable): string {
  return [
    "#!/bin/sh",
    'here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)',
    'export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"',
    `exec "$here/libexec/${executable}" "$@"`,
    "",
  ].join("\n");
}
