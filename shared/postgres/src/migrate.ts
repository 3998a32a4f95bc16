import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { ServiceFailure } from "@interlude/kernel";
import type { Database } from "./database.ts";
import type { Queries } from "./sql.ts";

/** SQL files of one owner, `0000_name.sql` and on, as drizzle-kit generates them. */
export type MigrationSet = { name: string; folder: URL };

type Migration = { tag: string; hash: string; statements: readonly string[] };

const BREAKPOINT = "--> statement-breakpoint";
const MIGRATE_WITHIN_MS = 600_000;

/** Applies what is missing, in order, in one transaction; repeating it, also at once, changes nothing. */
export async function migrate(database: Database, sets: readonly MigrationSet[]): Promise<void> {
  const read = await Promise.all(sets.map(async (set) => ({ set, migrations: await readMigrations(set) })));
  await database.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`select pg_advisory_xact_lock(hashtextextended('interlude migrations', 0))`;
    await tx`create table if not exists schema_migrations (
      owner text not null, tag text not null, hash text not null, primary key (owner, tag))`;
    await tx`create table if not exists projection_cursors (
      name text primary key, sequence bigint not null)`;
    for (const { set, migrations } of read) {
      const applied = await appliedHashes(tx, set);
      for (const migration of migrations) {
        requireUnchanged(set, migration, applied);
        if (applied.has(migration.tag)) continue;
        for (const statement of migration.statements) await tx.unsafe(statement);
        await tx`insert into schema_migrations ${tx({ owner: set.name, tag: migration.tag, hash: migration.hash })}`;
      }
    }
  }, MIGRATE_WITHIN_MS);
}

/** @throws ServiceFailure `database_unfit` when provisioning has not run, `database_unavailable` */
export async function verifySchema(database: Database, sets: readonly MigrationSet[]): Promise<void> {
  for (const set of sets) {
    const migrations = await readMigrations(set);
    const applied = await database.run((sql) => appliedHashes(sql, set));
    for (const migration of migrations) {
      requireUnchanged(set, migration, applied);
      if (!applied.has(migration.tag)) throw unfit(`migration ${set.name}/${migration.tag} is missing`);
    }
  }
}

async function readMigrations(set: MigrationSet): Promise<Migration[]> {
  const files = (await readdir(set.folder)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folderUrl(set)), "utf8");
      return {
        tag: file.slice(0, -".sql".length),
        hash: createHash("sha256").update(text).digest("hex"),
        statements: text.split(BREAKPOINT).filter((statement) => statement.trim() !== ""),
      };
    }),
  );
}

function folderUrl(set: MigrationSet): URL {
  return new URL(set.folder.href.endsWith("/") ? set.folder.href : `${set.folder.href}/`);
}

async function appliedHashes(sql: Queries, set: MigrationSet): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ tag: string; hash: string }[]>`
    select tag, hash from schema_migrations where owner = ${set.name}`;
  return new Map(rows.map((row) => [row.tag, row.hash]));
}

function requireUnchanged(
  set: MigrationSet,
  migration: Migration,
  applied: ReadonlyMap<string, string>,
): void {
  const hash = applied.get(migration.tag);
  if (hash === undefined || hash === migration.hash) return;
  throw unfit(`migration ${set.name}/${migration.tag} is not the one that was applied`);
}

function unfit(reason: string): ServiceFailure {
  return new ServiceFailure("database_unfit", {
    retry: "never",
    message: `${reason}: run \`interlude provision\``,
  });
}
