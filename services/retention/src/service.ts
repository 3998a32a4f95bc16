import {
  conversationsBefore,
  createConversationStore,
  createInteractionStore,
  createMediaCustody,
  createMessageIndex,
  createPurgeLog,
  createPurger,
  type Log,
  readLog,
  readRun,
} from "@interlude/event-log";
import type { Database } from "@interlude/postgres";
import {
  type AnswerKeys,
  createSweeping,
  type Logger,
  type Metrics,
  type Service,
} from "@interlude/service-kit";
import { parkGroups } from "./application/park-groups.ts";
import { purgeConversations } from "./application/purge-conversations.ts";
import { purgeInteractions } from "./application/purge-interactions.ts";
import { purgeRuns } from "./application/purge-runs.ts";

export type RetentionDeps = {
  log: Log;
  database: Pick<Database, "openSession">;
  answerKeys: Pick<AnswerKeys, "shred">;
  settings: { retention_days: number };
  logger: Logger;
  metrics: Pick<Metrics, "purged" | "oldestEnded">;
  /** The log's clock; tests move it. */
  nowMs?: () => number;
  sweepEveryMs?: number;
};

export interface Retention extends Service {
  /** One sweep, now; nothing while another process sweeps. */
  sweep(shouldStop?: () => boolean): Promise<void>;
}

const LOCK = "interlude retention";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Removes from the log what ended longer ago than it is to be kept. */
export function createRetention(deps: RetentionDeps): Retention {
  const { log, database, settings, logger, sweepEveryMs: everyMs = HOUR_MS } = deps;

  async function sweep(shouldStop: () => boolean = () => false): Promise<void> {
    if (settings.retention_days === 0) return;
    const session = await database.openSession();
    try {
      // The lock only saves work: each step of a purge can be done twice.
      if (await session.tryLock(LOCK)) await sweepLocked(deps, shouldStop);
    } finally {
      await session.close();
    }
  }

  const sweeping = createSweeping({ what: "what is past its retention", everyMs, logger, sweep });
  return {
    name: "retention",
    routes: [],
    start() {
      if (settings.retention_days > 0) sweeping.start();
      return Promise.resolve();
    },
    stop: () => sweeping.stop(),
    health: () => (log.isUp() ? { status: "ok" } : { status: "down", reason: "NATS is away" }),
    sweep,
  };
}

async function sweepLocked(deps: RetentionDeps, shouldStop: () => boolean): Promise<void> {
  const { log, logger, metrics, nowMs = () => log.clock.nowMs() } = deps;
  const parts = {
    store: createInteractionStore(log),
    purgeLog: createPurgeLog(log),
    purger: createPurger(log),
    parksOf: async (driver: string, runToken: string) => parkGroups(await readRun(log, driver, runToken)),
    nowMs,
    beforeMs: nowMs() - deps.settings.retention_days * DAY_MS,
    shouldStop,
  };
  const report = await purgeInteractions({
    ...parts,
    read: (from, batch) =>
      readLog(log, from, batch, (error) => {
        logger.error("a stored event cannot be read and is kept", { reason: String(error) });
      }),
    keys: deps.answerKeys,
    messages: createMessageIndex(log),
    custody: createMediaCustody(log),
  });
  metrics.purged.inc({ what: "interaction" }, report.purged);
  metrics.oldestEnded.set(report.oldestMs === undefined ? 0 : (nowMs() - report.oldestMs) / 1_000);
  const parks = shouldStop() ? 0 : await purgeRuns(parts);
  metrics.purged.inc({ what: "park" }, parks);
  const past = conversationsBefore(log, parts.beforeMs);
  const chats = { ...parts, past, conversations: createConversationStore(log) };
  const conversations = shouldStop() ? 0 : await purgeConversations(chats);
  metrics.purged.inc({ what: "conversation" }, conversations);
  const { purged, kept } = report;
  if (purged + parks + conversations + kept > 0)
    logger.info("what was past its retention was purged", { purged, kept, parks, conversations });
}
