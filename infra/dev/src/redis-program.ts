import { dirname } from "node:path";
import { findOnPath } from "./find-on-path.ts";
import type { Machine } from "./machine.ts";
import type { Program } from "./program.ts";
import type { Report } from "./report.ts";
import { runProgram } from "./run-program.ts";
import { isAtLeast, readVersion, type Version } from "./version.ts";

export const REDIS_EXECUTABLES = ["redis-server", "valkey-server"] as const;

/** Redis or Valkey: the same protocol, the same settings, another name. */
export type RedisProgram = Program & { executable: (typeof REDIS_EXECUTABLES)[number] };

export const OLDEST_REDIS: Version = [7, 0, 0];

export async function redisVersion(path: string): Promise<Version | undefined> {
  const shown = await runProgram(path, ["--version"], { timeoutMs: 10_000 });
  return shown.exitCode === 0 ? readVersion(shown.stdout) : undefined;
}

export async function redisOnPath(machine: Machine, report: Report): Promise<RedisProgram | undefined> {
  for (const executable of REDIS_EXECUTABLES) {
    for (const path of findOnPath(machine.searchPath, executable)) {
      const version = await redisVersion(path);
      if (version !== undefined && isAtLeast(version, OLDEST_REDIS)) {
        return { kind: "folder", folder: dirname(path), executable, version, origin: path };
      }
      report(
        `redis: ${path} is ${version?.join(".") ?? "not usable"}; 7 or newer is needed, looking further`,
      );
    }
  }
  return undefined;
}
