import { createMediaCustody, createMediaStore, type Log } from "@interlude/event-log";
import type { Logger, Service } from "@interlude/service-kit";
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
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      const report = await sweepMedia({
        custody,
        nowMs: () => log.clock.nowMs(),
        unclaimedLifetimeMs: deps.unclaimedLifetimeMs ?? 24 * HOUR_MS,
        claimGraceMs: deps.claimGraceMs ?? HOUR_MS,
        shouldStop: () => stopped,
      });
      if (report.discarded > 0) logger.info("media that nothing shows was removed", report);
    } catch (error) {
      logger.warn("media sweep ended early, nothing was removed on a guess", { reason: String(error) });
    }
  }

  function sweepLater(): void {
    timer = setTimeout(() => {
      sweeping = sweep().finally(() => {
        if (!stopped) sweepLater();
      });
    }, sweepEveryMs);
    timer.unref();
  }

  return {
    name: "media",
    routes: [uploadDoor(store), serveDoor({ store, custody })],
    start() {
      stopped = false;
      sweepLater();
      return Promise.resolve();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
    health: () => (log.isUp() ? { status: "ok" } : { status: "down", reason: "NATS is away" }),
  };
}
