import { type AuditEntry, type Log, readAudit } from "@interlude/event-log";
import { applyPurges, type PurgeEntry, PURGES } from "@interlude/inbox-model";
import { ServiceFailure } from "@interlude/kernel";
import { type Database, readCursor } from "@interlude/postgres";
import { createSweeping, type Logger, type Sweeping } from "@interlude/service-kit";

const EVERY_MS = 1_000;
const BATCH = 500;

/**
 * Takes the rows of purged questions out of the inbox, each once, in whichever process comes first. It has its own
 * cursor, read anew each time: after a rebuild it begins again.
 */
export function createPurgeFollowing(deps: { log: Log; database: Database; logger: Logger }): Sweeping {
  const { logger } = deps;
  return createSweeping({
    what: "what was purged from the inbox",
    everyMs: EVERY_MS,
    logger,
    async sweep(shouldStop) {
      try {
        while (!shouldStop() && (await applyNext(deps)));
      } catch (error) {
        // While a server is away the projector says so.
        if (!(error instanceof ServiceFailure) || error.retry === "never") throw error;
      }
    },
  });
}

/** `false`: there is nothing more to apply now. */
async function applyNext({
  log,
  database,
  logger,
}: Parameters<typeof createPurgeFollowing>[0]): Promise<boolean> {
  const position = await database.run((sql) => readCursor(sql, PURGES));
  const entries = await readAudit(log, position + 1, BATCH, (error) => {
    logger.error("a stored audit event cannot be read and is left out", { error: String(error) });
  });
  if (entries.length === 0) return false;
  const applied = await database.transaction((tx) => applyPurges(tx, entries.map(toPurge), position));
  return applied !== "moved" && applied.position > position;
}

function toPurge({ sequence, entry, after }: AuditEntry): PurgeEntry {
  if ("unknownType" in entry || entry.type !== "interaction_purged") return { sequence, after: 0 };
  const { interaction_id: id, sequence: upTo } = entry.data;
  return { sequence, purged: { id, upTo }, after };
}
