import type { Logger } from "./logger.ts";

export interface Sweeping {
  start(): void;
  /** Resolves when a sweep that is under way has stopped. */
  stop(): Promise<void>;
}

/** Sweeps again and again; one sweep ends before the next is waited for, and one that fails is only told of. */
export function createSweeping(options: {
  what: string;
  everyMs: number;
  logger: Logger;
  sweep: (shouldStop: () => boolean) => Promise<void>;
}): Sweeping {
  const { what, everyMs, logger, sweep } = options;
  let isStopped = true;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function sweepOnce(): Promise<void> {
    try {
      await sweep(() => isStopped);
    } catch (error) {
      logger.warn(`the sweep of ${what} ended early; the next one begins anew`, { reason: String(error) });
    }
  }

  function later(): void {
    // Replicas that started together need not sweep together.
    const afterMs = everyMs * (0.75 + Math.random() / 2);
    timer = setTimeout(() => {
      running = sweepOnce().finally(() => {
        if (!isStopped) later();
      });
    }, afterMs);
    timer.unref();
  }

  return {
    start() {
      if (!isStopped) return;
      isStopped = false;
      later();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
