import type { Database, Session } from "@interlude/postgres";
import { applyRunBatch, readPositions, readyParks } from "@interlude/run-model";
import type { RunModel } from "../application/follow-runs.ts";

/** Rolls a transaction back without being a failure. */
class CursorElsewhere extends Error {
  override readonly name = "CursorElsewhere";
}

const READY_AT_A_TIME = 500;

/** The read model over the session that holds the coordinator's lock: both are lost together. */
export function createPostgresRunModel(session: Session, database: Database): RunModel {
  return {
    positions: () => session.run((sql) => readPositions(sql)),
    async write(batch) {
      try {
        return await session.transaction(async (tx) => {
          const ready = await applyRunBatch(tx, batch);
          if (ready === undefined) throw new CursorElsewhere();
          return ready;
        });
      } catch (error) {
        if (error instanceof CursorElsewhere) return undefined;
        throw error;
      }
    },
    ready: (after) => readyParks(database, READY_AT_A_TIME, after),
  };
}
