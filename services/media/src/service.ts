import { createMediaCustody, createMediaStore, type Log } from "@interlude/event-log";
import { createSweeping, type Logger, type Service } from "@interlude/service-kit";
import { serveDoor } from "./adapters/serve-door.ts";
import { uploadDoor } from "./adapters/upload-door.ts";
import { sweepMedia } from "./application/sweep-media.ts";

const HOUR_MS = 3_600_000;

export type MediaDeps = {
  log: Log;
  logger: Logger;
  sweepEveryMs?: number;
  unclaimedLifetimeMs?: number;
  claimGraceMs?: number;
};

/** Takes media, serves it by id, and lets go of what nothing shows any more. */
export function createMedia(deps: MediaDeps): Service {
  const { log, logger, sweepEveryMs = HOUR_MS } = deps;
  const store = createMediaStore(log);
  const custody = createMediaCustody(log);
  const sweeping = createSweeping({
    what: "media",
    everyMs: sweepEveryMs,
    logger,
    async sweep(shouldStop) {
      const report = await sweepMedia({
        custody,
        nowMs: () => log.clock.nowMs(),
        unclaimedLifetimeMs: deps.unclaimedLifetimeMs ?? 24 * HOUR_MS,
        claimGraceMs: deps.claimGraceMs ?? HOUR_MS,
        shouldStop,
      });
      if (report.discarded > 0) logger.info("media that nothing shows was removed", report);
    },
  });

  return {
    name: "media",
    routes: [uploadDoor(store), serveDoor({ store, custody })],
    start() {
      sweeping.start();
      return Promise.resolve();
    },
    stop: () => sweeping.stop(),
    health: () => (log.isUp() ? { status: "ok" } : { status: "down", reason: "NATS is away" }),
  };
}
