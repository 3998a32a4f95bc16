import type { Platform } from "./machine.ts";

export type Wanted = "nats" | "postgres" | "redis" | "chromium";

const NAMES: Record<Wanted, string> = {
  nats: "nats-server 2.14 or newer",
  postgres: "Postgres 15 or newer",
  redis: "Redis 7 or newer, or Valkey,",
  chromium: "Chromium or Chrome",
};

const VARIABLES: Record<Wanted, string> = {
  nats: "set NATS_URL to a running server",
  postgres: "set DATABASE_URL to a running server",
  redis: "set REDIS_URL to a running server",
  chromium: "set CHROMIUM_PATH to a browser's executable",
};

const BREW: Record<Wanted, string> = {
  nats: "brew install nats-server",
  postgres: "brew install postgresql@17 && brew link --force postgresql@17",
  redis: "brew install valkey",
  chromium: "brew install --cask chromium, or install Google Chrome",
};

/** What a person has to do on this machine to get the program; one sentence, ready to be shown. */
export function adviceFor(wanted: Wanted, platform: Pick<Platform, "os" | "distribution" | "arch">): string {
  return `${NAMES[wanted]} is needed and could not be obtained. Either ${install(wanted, platform)}; or ${VARIABLES[wanted]}${docker(wanted)}.`;
}

function install(
  wanted: Wanted,
  { os, distribution, arch }: Pick<Platform, "os" | "distribution" | "arch">,
): string {
  if (os === "darwin") return `install it: ${BREW[wanted]}`;
  if (os === "other") return "run this under Linux, macOS or WSL 2 and install it there";
  if (distribution === "other")
    return `install it with your distribution's package manager, ${byHand(wanted, arch)}`;
  if (wanted === "nats") {
    return `let apt-get reach its package mirror and start again (the package is unpacked into the cache, nothing is installed), ${byHand("nats", arch)}`;
  }
  return `install it: sudo apt-get install ${packageName(wanted, distribution)}`;
}

function packageName(wanted: Exclude<Wanted, "nats">, distribution: "debian" | "ubuntu"): string {
  if (wanted === "chromium") return distribution === "ubuntu" ? "chromium-browser" : "chromium";
  return wanted === "redis" ? "redis-server" : "postgresql";
}

function byHand(wanted: Wanted, arch: string): string {
  const cpu = arch === "x64" ? "amd64" : arch;
  if (wanted === "nats") return `or put the linux-${cpu} nats-server of its release page on the PATH`;
  if (wanted === "postgres") return "so that `postgres` and `initdb` stand together in a folder of the PATH";
  if (wanted === "redis") return "so that `redis-server` or `valkey-server` is on the PATH";
  return "so that `chromium` is on the PATH";
}

function docker(wanted: Wanted): string {
  return wanted === "chromium" ? "" : "; or start a Docker engine";
}
