import { dirname, join } from "node:path";
import { ServiceFailure } from "@interlude/kernel";
import { adviceFor } from "./advice.ts";
import { findDocker } from "./docker-engine.ts";
import { withFileLock } from "./file-lock.ts";
import { findOnPath } from "./find-on-path.ts";
import type { Machine } from "./machine.ts";
import { findCachedNats, unpackNats } from "./nats-package.ts";
import { natsVersion, OLDEST_NATS } from "./nats-version.ts";
import type { Program } from "./program.ts";
import type { Report } from "./report.ts";
import { isAtLeast } from "./version.ts";

/** Finds a nats-server that is new enough: PATH, cache, Debian package, Docker; else says what to install. */
export async function obtainNatsServer(machine: Machine, report: Report): Promise<Program> {
  const found = (await onPath(machine, report)) ?? (await findCachedNats(machine.cacheDir));
  if (found !== undefined) return found;

  const unpacked = await withFileLock(
    join(machine.cacheDir, "nats-server.lock"),
    { withinMs: 600_000, report, holding: "it is downloading nats-server" },
    async () => (await findCachedNats(machine.cacheDir)) ?? (await unpackNats(machine, report)),
  );
  if (unpacked !== undefined) return unpacked;

  const docker = await findDocker(machine);
  if (docker !== undefined) {
    return { kind: "image", docker, image: "nats:2.14-alpine", version: OLDEST_NATS, origin: "Docker image" };
  }
  throw new ServiceFailure("server_unobtainable", {
    retry: "never",
    message: adviceFor("nats", machine.platform),
  });
}

async function onPath(machine: Machine, report: Report): Promise<Program | undefined> {
  for (const path of findOnPath(machine.searchPath, "nats-server")) {
    const version = await natsVersion(path);
    if (version !== undefined && isAtLeast(version, OLDEST_NATS)) {
      return { kind: "folder", folder: dirname(path), version, origin: path };
    }
    report(
      `nats: ${path} is ${version?.join(".") ?? "not usable"}; 2.14 or newer is needed, looking further`,
    );
  }
  return undefined;
}
