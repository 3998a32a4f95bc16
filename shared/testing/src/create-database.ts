import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import postgres from "postgres";

export type TestDatabase = { url: string; drop(): Promise<void> };

/** An empty database of its own on the given server, or a copy of `template`. */
export async function createDatabase(adminUrl: string, template = "template0"): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await statement(adminUrl, `create database "${name}" template "${template}"`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await untilUnused(adminUrl, name);
      await statement(adminUrl, `drop database if exists "${name}" with (force)`);
    },
  };
}

const CLOSING_MS = 5_000;

/** A pool that has ended may still close its connections: one that is cut off then fails a test that is over. */
async function untilUnused(url: string, name: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const untilMs = performance.now() + CLOSING_MS;
  try {
    while (performance.now() < untilMs) {
      const open = await sql`select 1 from pg_stat_activity where datname = ${name} limit 1`;
      if (open.length === 0) return;
      await setTimeout(20);
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function statement(url: string, text: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await sql.unsafe(text);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
