import { join } from "node:path";
import { ServiceFailure } from "@interlude/kernel";
import { adviceFor } from "./advice.ts";
import { findDocker } from "./docker-engine.ts";
import { withFileLock } from "./file-lock.ts";
import type { Machine } from "./machine.ts";
import { findCachedRedis, unpackRedis } from "./redis-package.ts";
import { OLDEST_REDIS, redisOnPath, type RedisProgram } from "./redis-program.ts";
import type { Report } from "./report.ts";

/** Finds a Redis or Valkey that is new enough: PATH, cache, Debian package, Docker; else says what to install. */
export async function obtainRedisServer(machine: Machine, report: Report): Promise<RedisProgram> {
  const found = (await redisOnPath(machine, report)) ?? (await findCachedRedis(machine.cacheDir));
  if (found !== undefined) return found;

  const unpacked = await withFileLock(
    join(machine.cacheDir, "redis-server.lock"),
    { withinMs: 600_000, report, holding: "it is downloading redis-server" },
    async () => (await findCachedRedis(machine.cacheDir)) ?? (await unpackRedis(machine, report)),
  );
  if (unpacked !== undefined) return unpacked;

  const docker = await findDocker(machine);
  if (docker !== undefined) {
    const image = { docker, image: "redis:7-alpine", executable: "redis-server" } as const;
    return { kind: "image", ...image, version: OLDEST_REDIS, origin: "Docker image" };
  }
  throw new ServiceFailure("server_unobtainable", {
    retry: "never",
    message: adviceFor("redis", machine.platform),
  });
}
