import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDatabase, eventually, startOwnPostgres, type TestDatabase } from "@interlude/testing";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { type Database, migrate, moveCursor, openDatabase, readCursor, verifySchema } from "../src/index.ts";

let created: TestDatabase;
let database: Database;
let folder: string;

beforeEach(async () => {
  created = await createDatabase(inject("postgresUrl"));
  database = openDatabase({ url: created.url, applicationName: "postgres-test" });
  folder = mkdtempSync(join(tmpdir(), "interlude-migrations-"));
});
afterEach(async () => {
  await database.close();
  await created.drop();
  rmSync(folder, { recursive: true, force: true });
});

function migrations(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return [{ name: "test", folder: pathToFileURL(folder) }];
}

const FIRST = {
  "0000_first.sql": "create table one (id int);\n--> statement-breakpoint\ninsert into one values (1);",
};

describe("migrations", () => {
  it("are applied once and in order, also when several provision at once", async () => {
    const sets = migrations({
      ...FIRST,
      "0001_second.sql": "alter table one add column more int default 2;",
    });
    await Promise.all([migrate(database, sets), migrate(database, sets), migrate(database, sets)]);
    await migrate(database, sets);
    expect(await database.run((sql) => sql`select * from one`)).toEqual([{ id: 1, more: 2 }]);
    await verifySchema(database, sets);
  });

  it("leave nothing behind when one of them fails", async () => {
    const sets = migrations({ ...FIRST, "0001_broken.sql": "alter table nowhere add column more int;" });
    await expect(migrate(database, sets)).rejects.toThrow();
    const [row] = await database.run((sql) => sql`select to_regclass('one') as found`);
    expect(row).toEqual({ found: null });
  });

  it("that are missing keep a service from starting, with what to do", async () => {
    const unfit = { code: "database_unfit", retry: "never" };
    await expect(verifySchema(database, migrations(FIRST))).rejects.toMatchObject(unfit);
    await migrate(database, migrations(FIRST));
    const newer = migrations({ "0001_second.sql": "select 1;" });
    await expect(verifySchema(database, newer)).rejects.toThrow(
      /test\/0001_second is missing: run `interlude provision`/,
    );
  });

  it("that were changed after they were applied are refused", async () => {
    await migrate(database, migrations(FIRST));
    const changed = migrations({ "0000_first.sql": "create table other (id int);" });
    await expect(migrate(database, changed)).rejects.toMatchObject({ code: "database_unfit" });
    await expect(verifySchema(database, changed)).rejects.toMatchObject({ code: "database_unfit" });
  });
});

describe("a projection's cursor", () => {
  it("moves from where it is expected only, and for one of many", async () => {
    await migrate(database, []);
    const move = (expected: number, next: number) =>
      database.transaction((tx) => moveCursor(tx, "test", expected, next));
    expect(await move(5, 6)).toBe(false);
    expect((await Promise.all([move(0, 10), move(0, 20), move(0, 30)])).filter(Boolean)).toHaveLength(1);
    const position = await database.run((sql) => readCursor(sql, "test"));
    expect(await move(position + 1, 99)).toBe(false);
    expect(await move(position, 99)).toBe(true);
    expect(await database.run((sql) => readCursor(sql, "test"))).toBe(99);
    expect(await database.run((sql) => readCursor(sql, "other"))).toBe(0);
  });
});

describe("a transaction", () => {
  it("is all or nothing, and returns what its work returns", async () => {
    await database.run((sql) => sql`create table kept (id int)`);
    const failing = database.transaction(async (tx) => {
      await tx`insert into kept values (1)`;
      throw new TypeError("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await database.run((sql) => sql`select * from kept`)).toEqual([]);
    expect(await database.transaction(() => Promise.resolve([1, "two"]))).toEqual([1, "two"]);
  });
});

describe("a session", () => {
  it("has its lock alone until it ends", async () => {
    const [one, other] = await Promise.all([database.openSession(), database.openSession()]);
    expect(await one.tryLock("mine")).toBe(true);
    expect(await other.tryLock("mine")).toBe(false);
    await one.close();
    await eventually(() => other.tryLock("mine"));
    await other.close();
  });

  it("is lost for good with its connection, and never goes on without its lock", async () => {
    const session = await database.openSession();
    await session.tryLock("mine");
    const [row] = await session.run((sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid`);
    await database.run((sql) => sql`select pg_terminate_backend(${row?.pid ?? 0})`);
    await eventually(() => session.isLost);
    await expect(session.run((sql) => sql`select 1`)).rejects.toMatchObject({ code: "database_unavailable" });
    await session.close();
  });
});

describe("missing tables", () => {
  it("are told as a database that was not provisioned", async () => {
    await expect(database.run((sql) => sql`select * from nowhere`)).rejects.toMatchObject({
      code: "database_unfit",
      retry: "never",
    });
  });
});

describe("while Postgres is away", () => {
  it("every use fails within seconds and typed, and works again when it is back", async () => {
    const server = await startOwnPostgres();
    const own = openDatabase({ url: server.url, applicationName: "postgres-test" });
    const heard: (string | undefined)[] = [];
    own.subscribe("news", (payload) => heard.push(payload));
    expect(await own.isUp()).toBe(true);
    await eventually(() => heard.length === 1);

    await server.kill();
    const away = { code: "database_unavailable", retry: "later" };
    const startedAt = performance.now();
    const uses = [own.run((sql) => sql`select 1`), own.transaction((tx) => tx`select 1`), own.openSession()];
    for (const use of await Promise.allSettled(uses)) {
      expect(use).toMatchObject({ status: "rejected", reason: away });
    }
    expect(await own.isUp()).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(5_000);

    await server.restart();
    await eventually(() => own.isUp(), { withinMs: 10_000 });
    await eventually(() => heard.length > 1);
    await own.run((sql) => sql`select pg_notify('news', 'again')`);
    await eventually(() => heard.includes("again"));

    await server.freeze();
    const frozenAt = performance.now();
    const fresh = openDatabase({ url: server.url, applicationName: "fresh" });
    await expect(fresh.run((sql) => sql`select 1`)).rejects.toMatchObject(away);
    expect(performance.now() - frozenAt).toBeLessThan(5_000);
    server.thaw();
    await fresh.close();
    await own.close();
    await server.stop();
  });
});
