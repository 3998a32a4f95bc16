import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Platform = {
  os: "linux" | "darwin" | "other";
  arch: string;
  /** The `ID` of /etc/os-release, or of the first family in `ID_LIKE` that is packaged by apt. */
  distribution: "debian" | "ubuntu" | "other";
  codename: string;
  isRoot: boolean;
};

/** What this library must know of the machine; made once by whoever may read the environment. */
export type Machine = {
  platform: Platform;
  /** Where programs and downloads are kept between projects. */
  cacheDir: string;
  searchPath: readonly string[];
  userHome: string;
  dockerSocket: string;
  chromiumPath: string | undefined;
  playwrightCache: string | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

export function describeMachine(environment: Environment): Machine {
  const home = environment["HOME"] ?? "/tmp";
  const given = environment["XDG_CACHE_HOME"];
  // The XDG specification says that a relative path is to be ignored.
  const caches = given?.startsWith("/") === true ? given : join(home, ".cache");
  return {
    platform: describePlatform(),
    cacheDir: join(caches, "interlude"),
    searchPath: (environment["PATH"] ?? "").split(":").filter((folder) => folder !== ""),
    userHome: home,
    dockerSocket: dockerSocket(environment["DOCKER_HOST"]),
    chromiumPath: nonEmpty(environment["CHROMIUM_PATH"]),
    playwrightCache: nonEmpty(environment["PLAYWRIGHT_BROWSERS_PATH"]),
  };
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function dockerSocket(host: string | undefined): string {
  return host?.startsWith("unix://") === true ? host.slice("unix://".length) : "/var/run/docker.sock";
}

function describePlatform(): Platform {
  const os = process.platform === "linux" || process.platform === "darwin" ? process.platform : "other";
  const { distribution, codename } =
    os === "linux" ? readDistribution() : ({ distribution: "other", codename: "" } as const);
  return { os, arch: process.arch, distribution, codename, isRoot: process.getuid?.() === 0 };
}

function readDistribution(): Pick<Platform, "distribution" | "codename"> {
  try {
    return parseOsRelease(readFileSync("/etc/os-release", "utf8"));
  } catch {
    return { distribution: "other", codename: "" };
  }
}

export function parseOsRelease(text: string): Pick<Platform, "distribution" | "codename"> {
  const field = (name: string): string => new RegExp(`^${name}="?([^"\\n]*)"?$`, "m").exec(text)?.[1] ?? "";
  const families = [field("ID"), ...field("ID_LIKE").split(" ")];
  const distribution = families.find((name) => name === "ubuntu" || name === "debian") ?? "other";
  return { distribution, codename: field("UBUNTU_CODENAME") || field("VERSION_CODENAME") };
}
