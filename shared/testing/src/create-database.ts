import { randomBytes } from "node:crypto";
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
    drop: () => statement(adminUrl, `drop database if exists "${name}" with (force)`),
  };
}

async function statement(url: string, text: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await sql.unsafe(text);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
