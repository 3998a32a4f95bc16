import { type AuditEntry, type Log, readAudit } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { type Database, readCursor } from "@interlude/postgres";
import { applyRunPurges, RUN_PURGES, type RunPurgeEntry } from "@interlude/run-model";
import { createSweeping, type Logger, type Sweeping } from "@interlude/service-kit";

const EVERY_MS = 1_000;
const BATCH = 200;

/**
 * Takes what was purged out of the read model of runs, each once, in whichever process comes first. It has its own
 * cursor, read anew each time: after a rebuild it begins again.
 */
export function createPurgeFollowing(deps: { log: Log; database: Database; logger: Logger }): Sweeping {
  const { logger } = deps;
  return createSweeping({
    what: "what was purged from the runs",
    everyMs: EVERY_MS,
    logger,
    async sweep(shouldStop) {
      try {
        while (!shouldStop() && (await applyNext(deps)));
      } catch (error) {
        // While a server is away the model's writer says so.
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
  const position = await database.run((sql) => readCursor(sql, RUN_PURGES));
  const entries = await readAudit(log, position + 1, BATCH, (error) => {
    logger.error("a stored audit event cannot be read and is left out", { error: String(error) });
  });
  if (entries.length === 0) return false;
  const applied = await database.transaction((tx) => applyRunPurges(tx, entries.map(toPurge), position));
  return applied !== "moved" && applied.position > position;
}

function toPurge({ sequence, entry, after }: AuditEntry): RunPurgeEntry {
  if ("unknownType" in entry) return { sequence, after: 0 };
  const { data } = entry;
  if ("interaction_id" in data) {
    const { interaction_id: id, sequence: upTo, parked } = data;
    return { sequence, purged: { kind: "ask", id, upTo, parked }, after };
  }
  const { driver, run_token: runToken, park_token: parkToken, sequence: upTo, interaction_ids } = data;
  const address = { driver, runToken, parkToken };
  return { sequence, purged: { kind: "park", address, upTo, interactionIds: interaction_ids }, after };
}
