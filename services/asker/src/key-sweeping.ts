import { createInteractionStore, type Log } from "@interlude/event-log";
import { type AnswerKeys, createSweeping, type Logger, type Sweeping } from "@interlude/service-kit";
import { sweepAnswerKeys } from "./application/sweep-answer-keys.ts";

const TEN_MINUTES_MS = 600_000;

/** Sweeps the keys of sensitive answers. */
export function createKeySweeping(deps: {
  log: Log;
  answerKeys: AnswerKeys;
  logger: Logger;
  everyMs: number | undefined;
}): Sweeping {
  const { log, answerKeys: keys, logger, everyMs = TEN_MINUTES_MS } = deps;
  const store = createInteractionStore(log);
  return createSweeping({
    what: "answer keys",
    everyMs,
    logger,
    async sweep(shouldStop) {
      const report = await sweepAnswerKeys({ keys, store, nowMs: () => log.clock.nowMs(), shouldStop });
      if (report.shredded > 0) logger.info("keys of sensitive answers were shredded", report);
    },
  });
}
