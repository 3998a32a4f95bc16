import { createInteractionStore, type Log } from "@interlude/event-log";
import type { AnswerKeys, Logger } from "@interlude/service-kit";
import { sweepAnswerKeys } from "./application/sweep-answer-keys.ts";

type Sweeping = { start(): void; stop(): Promise<void> };

const TEN_MINUTES_MS = 600_000;

/** Sweeps the keys of sensitive answers again and again; one sweep ends before the next is waited for. */
export function createKeySweeping(deps: {
  log: Log;
  answerKeys: AnswerKeys;
  logger: Logger;
  everyMs: number | undefined;
}): Sweeping {
  const { log, answerKeys, logger, everyMs = TEN_MINUTES_MS } = deps;
  const store = createInteractionStore(log);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      const report = await sweepAnswerKeys({
        keys: answerKeys,
        store,
        nowMs: () => log.clock.nowMs(),
        shouldStop: () => isStopped,
      });
      if (report.shredded > 0) logger.info("keys of sensitive answers were shredded", report);
    } catch (error) {
      logger.warn("the sweep of answer keys ended early; the next one begins anew", {
        reason: String(error),
      });
    }
  }

  function later(): void {
    // Replicas that started together need not sweep together.
    const afterMs = everyMs * (0.75 + Math.random() / 2);
    timer = setTimeout(() => {
      running = sweep().finally(() => {
        if (!isStopped) later();
      });
    }, afterMs);
    timer.unref();
  }

  return {
    start() {
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
