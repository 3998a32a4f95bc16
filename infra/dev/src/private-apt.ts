import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "./machine.ts";
import { runProgram, type Finished } from "./run-program.ts";

const KEYRINGS = {
  debian: [
    "/usr/share/keyrings/debian-archive-keyring.pgp",
    "/usr/share/keyrings/debian-archive-keyring.gpg",
  ],
  ubuntu: ["/usr/share/keyrings/ubuntu-archive-keyring.gpg"],
  other: [],
} as const;

const COMPONENTS = { debian: "main", ubuntu: "universe", other: "main" } as const;

/**
 * apt with lists, cache and source of its own below one folder: the machine's package state is
 * neither read for the decision nor changed, and no privilege is needed. apt verifies what it
 * downloads against the signed index.
 */
export type PrivateApt = {
  /** The version the suite offers, or nothing when it cannot be reached or does not have it. */
  candidate(packageName: string): Promise<string | undefined>;
  /** The path of the downloaded package. */
  download(packageName: string, version?: string): Promise<string | undefined>;
  /** What these packages cannot do without: each is a list of packages of which one is enough. */
  dependencies(packageNames: readonly string[]): Promise<string[][]>;
};

export async function openPrivateApt(
  folder: string,
  suite: string,
  platform: Platform,
  components: string = COMPONENTS[platform.distribution],
): Promise<PrivateApt | undefined> {
  const mirror = await findMirror(platform);
  if (mirror === undefined) return undefined;
  const place = join(folder, suite);
  for (const part of ["lists/partial", "cache/archives/partial", "download"]) {
    mkdirSync(join(place, part), { recursive: true });
  }
  // apt reads a source file by its ending: `.list` is the one-line format.
  const source = join(place, "only.list");
  const keyring = KEYRINGS[platform.distribution].find((path) => existsSync(path));
  const signed = keyring === undefined ? "" : `[signed-by=${keyring}] `;
  writeFileSync(source, `deb ${signed}${mirror} ${suite} ${components}\n`);

  const options = aptOptions(place, source, platform);
  const inPlace = { cwd: join(place, "download") };
  const apt = (program: string, args: readonly string[], timeoutMs: number): Promise<Finished> =>
    runProgram(program, [...options, ...args], { ...inPlace, timeoutMs });

  let updating: Promise<Finished> | undefined;

  return {
    async candidate(packageName) {
      updating ??= apt("apt-get", ["update", "-q"], 150_000);
      if ((await updating).exitCode !== 0) return undefined;
      const shown = await apt("apt-cache", ["show", "--no-all-versions", packageName], 30_000);
      return /^Version: (\S+)$/m.exec(shown.stdout)?.[1];
    },
    async download(packageName, version) {
      const wanted = version === undefined ? packageName : `${packageName}=${version}`;
      const done = await apt("apt-get", ["download", "-q", wanted], 300_000);
      if (done.exitCode !== 0) return undefined;
      const file = readdirSync(inPlace.cwd).find(
        (name) => name.startsWith(`${packageName}_`) && name.endsWith(".deb"),
      );
      return file === undefined ? undefined : join(inPlace.cwd, file);
    },
    async dependencies(packageNames) {
      return parseDependencies((await apt("apt-cache", ["depends", ...packageNames], 30_000)).stdout);
    },
  };
}

/** A bar before the word says that the next line names an alternative. */
export function parseDependencies(shown: string): string[][] {
  const groups: string[][] = [];
  let isOpen = false;
  for (const line of shown.split("\n")) {
    const [, bar, name] = /^ ([ |])(?:Pre)?Depends: ([^\s<>]+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (isOpen) groups.at(-1)?.push(name);
    else groups.push([name]);
    isOpen = bar === "|";
  }
  return groups;
}

function aptOptions(place: string, source: string, platform: Platform): string[] {
  const settings = [
    `Dir::Etc::SourceList=${source}`,
    "Dir::Etc::SourceParts=/dev/null",
    `Dir::State::Lists=${place}/lists`,
    `Dir::Cache=${place}/cache`,
    "Acquire::Languages=none",
    "Acquire::Retries=1",
    "Acquire::http::Timeout=20",
    "Acquire::https::Timeout=20",
    "Debug::NoLocking=1",
    // The user apt downloads as may not enter a cache below a closed home; verification is unaffected.
    ...(platform.isRoot ? ["APT::Sandbox::User=root"] : []),
  ];
  return settings.flatMap((setting) => ["-o", setting]);
}

/** The archive this machine already takes its own release from, so that a local mirror is honoured. */
async function findMirror(platform: Platform): Promise<string | undefined> {
  const listed = await runProgram("apt-get", [
    "indextargets",
    "--format",
    "$(REPO_URI)|$(RELEASE)|$(COMPONENT)",
    "Created-By: Packages",
  ]);
  return chooseMirror(listed.stdout, platform.codename);
}

export function chooseMirror(targets: string, codename: string): string | undefined {
  const own = ["stable", "testing", "unstable", "sid", codename];
  const rows = targets.split("\n").map((line) => line.split("|"));
  return rows.find(([, release, component]) => component === "main" && own.includes(release ?? ""))?.[0];
}
