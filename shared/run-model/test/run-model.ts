import { type Database, migrate, openDatabase } from "@interlude/postgres";
import { createDatabase } from "@interlude/testing";
import {
  applyRunBatch,
  foldRunBatch,
  type ParkRow,
  type Positions,
  readPositions,
  RUN_MIGRATIONS,
  type RunBatch,
  type RunModelEntry,
} from "../src/index.ts";

export type RunModel = { database: Database; close(): Promise<void> };

/** An empty model in a database of its own. */
export async function openRunModel(adminUrl: string, max = 10): Promise<RunModel> {
  const created = await createDatabase(adminUrl);
  const database = openDatabase({ url: created.url, applicationName: "run-model-test", max });
  await migrate(database, [RUN_MIGRATIONS]);
  return {
    database,
    async close() {
      await database.close();
      await created.drop();
    },
  };
}

class Elsewhere extends Error {}

/** Writes one batch as a writer would; `undefined` when a cursor was elsewhere. */
export async function write(database: Database, batch: RunBatch): Promise<ParkRow[] | undefined> {
  try {
    return await database.transaction(async (tx) => {
      const ready = await applyRunBatch(tx, batch);
      if (ready === undefined) throw new Elsewhere();
      return ready;
    });
  } catch (error) {
    if (error instanceof Elsewhere) return undefined;
    throw error;
  }
}

export function positionsOf(database: Database): Promise<Positions> {
  return database.run((sql) => readPositions(sql));
}

/** Writes the entries from where the model is, in batches of `size`; answers the parks that became ready, in order. */
export async function project(
  database: Database,
  entries: readonly RunModelEntry[],
  size = 1_000,
): Promise<ParkRow[]> {
  const found: ParkRow[] = [];
  let from = await positionsOf(database);
  for (let at = 0; at < entries.length; at += size) {
    const batch = foldRunBatch(from, entries.slice(at, at + size));
    const ready = await write(database, batch);
    if (ready === undefined) throw new Error("a cursor is elsewhere");
    found.push(...ready);
    from = batch.to;
  }
  return found;
}

/** Every row of the model, as text. */
export function dump(database: Database): Promise<unknown> {
  return database.run(async (sql) => ({
    parks: await sql`select p::text as row from parks p order by park_seq`,
    parkAsks: await sql`select a::text as row from park_asks a order by 1`,
    asks: await sql`select a::text as row from run_asks a order by 1`,
    cursors: await sql`select * from projection_cursors order by name`,
  }));
}
