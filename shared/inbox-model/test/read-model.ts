import type { ListQuery } from "@interlude/contract";
import type { Role } from "@interlude/domain";
import { type Database, migrate, openDatabase } from "@interlude/postgres";
import { createDatabase } from "@interlude/testing";
import { applyBatch, foldBatch, INBOX_MIGRATIONS, type ProjectedEntry, type Reader } from "../src/index.ts";

export interface ReadModel {
  readonly database: Database;
  close(): Promise<void>;
}

/** An empty read model in a database of its own. */
export async function openReadModel(adminUrl: string): Promise<ReadModel> {
  const created = await createDatabase(adminUrl);
  const database = openDatabase({ url: created.url, applicationName: "inbox-model-test" });
  await migrate(database, [INBOX_MIGRATIONS]);
  return {
    database,
    async close() {
      await database.close();
      await created.drop();
    },
  };
}

/** Writes the entries as a projector would, in batches of `size`. */
export async function project(
  database: Database,
  entries: readonly ProjectedEntry[],
  size = 1_000,
  from = 0,
) {
  let position = from;
  for (let at = 0; at < entries.length; at += size) {
    const batch = foldBatch(entries.slice(at, at + size));
    const expected = position;
    if (!(await database.transaction((tx) => applyBatch(tx, batch, expected))))
      throw new Error("cursor elsewhere");
    position = batch.sequence;
  }
}

export function listQuery(more: Partial<ListQuery> = {}): ListQuery {
  const window = more.cursor === undefined ? { page: 1 } : {};
  return { status: "pending", sort: "created_at", page_size: 50, ...window, ...more };
}

export function subject(name: string, roles: readonly Role[], groups: readonly string[] = []): Reader {
  return { kind: "subject", subject: name, roles, groups };
}

export const OPERATOR = subject("root", ["operator"]);
