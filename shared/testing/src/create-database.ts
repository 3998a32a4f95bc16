import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import postgres from "postgres";

export type TestDatabase = { url: string; drop(): Promise<void> };

const CLOSING_MS = 5_000;

/** An empty database of its own on the given server, or a copy of `template`. */
export async function createDatabase(adminUrl: string, template = "template0"): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(adminUrl, (sql) => sql.unsafe(`create database "${name}" template "${template}"`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      asAdmin(adminUrl, async (sql) => {
        await untilUnused(sql, name);
        await sql.unsafe(`drop database if exists "${name}" with (force)`);
      }),
  };
}

/** A pool that has ended may still close its connections: one that is cut off then fails a test that is over. */
async function untilUnused(sql: postgres.Sql, name: string): Promise<void> {
  const untilMs = performance.now() + CLOSING_MS;
  while (performance.now() < untilMs) {
    const open = await sql`select 1 from pg_stat_activity where datname = ${name} limit 1`;
    if (open.length === 0) return;
    await setTimeout(20);
  }
}

async function asAdmin(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
