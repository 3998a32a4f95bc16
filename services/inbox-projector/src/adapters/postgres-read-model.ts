import { applyBatch, PROJECTION } from "@interlude/inbox-model";
import { readCursor, type Session } from "@interlude/postgres";
import type { ReadModel } from "../application/follow-log.ts";

/** Rolls a transaction back without being a failure. */
class CursorElsewhere extends Error {
  override readonly name = "CursorElsewhere";
}

/** The read model over the session that holds the projector's lock: both are lost together. */
export function createPostgresReadModel(session: Session): ReadModel {
  return {
    position: () => session.run((sql) => readCursor(sql, PROJECTION)),
    async write(batch, expected) {
      try {
        await session.transaction(async (tx) => {
          if (!(await applyBatch(tx, batch, expected))) throw new CursorElsewhere();
        });
        return true;
      } catch (error) {
        if (error instanceof CursorElsewhere) return false;
        throw error;
      }
    },
  };
}
