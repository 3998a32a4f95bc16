import postgres from "postgres";
import { describe, expect, inject, it } from "vitest";
import {
  canStartRedis,
  createDatabase,
  eventually,
  startOwnNats,
  startOwnPostgres,
  startOwnRedis,
} from "./index.ts";
import { firstLine, firstReply } from "./first-line.ts";

describe("the servers of a test run", () => {
  it("are one NATS with JetStream and one Postgres, both answering", async () => {
    expect(await firstLine(inject("natsUrl"))).toContain('"jetstream":true');
    const sql = postgres(inject("postgresUrl"), { max: 1 });
    expect(await sql`select current_database() as name`).toEqual([{ name: "interlude" }]);
    await sql.end();
  });

  it("give each file a database of its own, which is gone when dropped", async () => {
    const [one, other] = await Promise.all([
      createDatabase(inject("postgresUrl")),
      createDatabase(inject("postgresUrl")),
    ]);
    expect(one.url).not.toBe(other.url);
    const sql = postgres(one.url, { max: 1 });
    await sql`create table mine (id int)`;
    await one.drop();
    await other.drop();
    await sql.end({ timeout: 1 });
    await expect(firstQuery(one.url)).rejects.toThrow(/does not exist/);
  });
});

describe("a test's own server", () => {
  it("comes back on its port and store after kill -9 (Postgres)", async () => {
    const server = await startOwnPostgres();
    const sql = postgres(server.url, { max: 1 });
    await sql`create table kept as select 7 as value`;
    await server.kill();
    await expect(firstQuery(server.url)).rejects.toThrow();
    await server.restart();
    await eventually(async () => {
      expect(await sql`select value from kept`).toEqual([{ value: 7 }]);
    });
    await sql.end();
    await server.stop();
  });

  it("comes back on its port after kill -9 (NATS)", async () => {
    const server = await startOwnNats();
    await server.kill();
    expect(await firstLine(server.url)).toBe("");
    await server.restart();
    expect(await firstLine(server.url)).toContain("INFO");
    await server.stop();
    expect(await firstLine(server.url)).toBe("");
  });

  it("stays silent while frozen", async () => {
    const server = await startOwnNats();
    await server.freeze();
    expect(await firstLine(server.url)).toBe("");
    server.thaw();
    expect(await firstLine(server.url)).toContain("INFO");
    await server.stop();
  });
});

describe("a test's own Redis", () => {
  it("comes back on its port and store after kill -9 [needs a Redis server]", async (context) => {
    if (!(await canStartRedis())) context.skip();
    const server = await startOwnRedis();
    expect(await firstReply(server.url, "SET kept 7")).toBe("+OK\r\n");
    await server.kill();
    expect(await firstReply(server.url, "GET kept")).toBe("");
    await server.restart();
    expect(await firstReply(server.url, "GET kept")).toBe("$1\r\n7\r\n");
    await server.stop();
  }, 180_000);
});

async function firstQuery(url: string): Promise<unknown> {
  const sql = postgres(url, { max: 1, connect_timeout: 2 });
  try {
    return await sql`select 1`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
