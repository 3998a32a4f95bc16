import type { Log } from "@interlude/event-log";
import { countOpenAsks, listItems, rebuild, waitForSequence } from "@interlude/inbox-model";
import { type Database, openDatabase } from "@interlude/postgres";
import {
  createDatabase,
  eventually,
  type OwnServer,
  startOwnNats,
  startOwnPostgres,
  type TestDatabase,
} from "@interlude/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import {
  type Ask,
  dump,
  type End,
  openTestDatabase,
  openTestLog,
  startProjector,
  stateOf,
} from "./fixture.ts";

const OPERATOR = { kind: "subject", subject: "root", roles: ["operator"], groups: [] } as const;
const PENDING = { status: "pending", sort: "created_at", page: 1, page_size: 50 } as const;

let nats: OwnServer;
let log: Log;
let ask: Ask;
let end: End;
let created: TestDatabase;
let database: Database;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  nats = await startOwnNats();
  ({ log, ask, end } = await openTestLog(nats.url));
});
afterAll(async () => {
  await log.close();
  await nats.stop();
});
beforeEach(async () => {
  created = await createDatabase(inject("postgresUrl"));
  database = await openTestDatabase(created.url);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await database.close();
  await created.drop();
});

async function start(on: Database = database) {
  const projector = await startProjector(log, on);
  stops.push(() => projector.stop());
  return projector;
}

let count = 0;
function freshId(): string {
  count += 1;
  return `question-${count}`;
}

async function listedIds(): Promise<string[]> {
  const listed = await listItems(database, { ...PENDING, page_size: 200 }, OPERATOR, Date.now());
  return listed.ok ? listed.value.items.map(({ item }) => item.interaction_id) : [];
}

describe("the inbox projector", () => {
  it("brings what was asked and ended into the list, and wakes who waits for it", async () => {
    await start();
    const id = freshId();
    const asked = await ask(id);
    expect(await waitForSequence(database, asked, 2_000)).toBe(true);
    expect(await listedIds()).toContain(id);
    const answered = await end("answered", id);
    expect(await waitForSequence(database, answered, 2_000)).toBe(true);
    expect(await listedIds()).not.toContain(id);
  });

  it("tells who waits for too much that the time is over", async () => {
    await start();
    const sequence = await ask(freshId());
    expect(await waitForSequence(database, sequence + 1_000, 200)).toBe(false);
  });

  it("counts a subject's open questions up to the position it tells", async () => {
    await start();
    const [first, second] = [freshId(), freshId()];
    await ask(first, { asker: "capped" });
    await ask(second, { asker: "capped", mode: "async" });
    const sequence = await end("cancelled", first);
    await waitForSequence(database, sequence, 2_000);
    expect(await countOpenAsks(database, "capped", "sync")).toEqual({ count: 0, sequence });
    expect(await countOpenAsks(database, "capped", "async")).toMatchObject({ count: 1 });
  });

  it("comes to the same rows when the read model is emptied under it and read again", async () => {
    const projector = await start();
    const ids = Array.from({ length: 30 }, freshId);
    for (const id of ids) await ask(id, id.endsWith("3") ? { audience: "ann" } : {});
    for (const id of ids.slice(0, 10)) await end("answered", id);
    for (const id of ids.slice(10, 15)) await end("expired", id);
    const last = await end("cancelled", ids[20] ?? "");
    await waitForSequence(database, last, 5_000);
    const before = await dump(database);

    await rebuild(database);
    await eventually(async () => {
      expect(await dump(database)).toEqual(before);
    });
    expect(stateOf(projector)).toBe("projecting");
  });

  it("hands over to a standby within two seconds, and neither repeats nor leaves out anything", async () => {
    const other = openDatabase({ url: created.url, applicationName: "standby" });
    const [leader, standby] = [await start(), await startProjector(log, other)];
    stops.push(async () => {
      await standby.stop();
      await other.close();
    });
    await eventually(() => stateOf(leader) === "projecting" || stateOf(standby) === "projecting");
    await eventually(() => stateOf(leader) === "standby" || stateOf(standby) === "standby");
    const [first, second] = stateOf(leader) === "projecting" ? [leader, standby] : [standby, leader];
    await waitForSequence(database, await ask(freshId()), 2_000);

    await first.stop();
    const startedAt = performance.now();
    const sequence = await ask(freshId());
    expect(await waitForSequence(database, sequence, 2_000)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(stateOf(second)).toBe("projecting");
  });

  it("takes over when the leader's connection is cut, which then stands by", async () => {
    const projector = await start();
    await waitForSequence(database, await ask(freshId()), 2_000);
    await database.run(
      (sql) => sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
    const sequence = await ask(freshId());
    expect(await waitForSequence(database, sequence, 5_000)).toBe(true);
    expect(stateOf(projector)).toBe("projecting");
  });

  it("goes on where it was after the log's server was killed", async () => {
    await start();
    await waitForSequence(database, await ask(freshId()), 2_000);
    await nats.kill();
    await nats.restart();
    await eventually(() => log.isUp(), { withinMs: 10_000 });
    const sequence = await ask(freshId());
    expect(await waitForSequence(database, sequence, 10_000)).toBe(true);
  });

  it("skips and counts events that it does not know", async () => {
    const projector = await start();
    const id = freshId();
    await log.jetstream.publish("interactions.renamed.inbox.0.some-question", "{}");
    const sequence = await ask(id);
    await waitForSequence(database, sequence, 2_000);
    await eventually(() => projector.skipped() > 0);
    expect(await listedIds()).toContain(id);
  });

  it("does not project, and says what to do, when the read model is ahead of the log", async () => {
    await database.run(
      (sql) => sql`insert into projection_cursors (name, sequence) values ('inbox', 1000000)`,
    );
    const projector = await start();
    await eventually(() => stateOf(projector) === "failing");
    expect(projector.status().reason).toMatch(/database_unfit.*rebuild/);
    await rebuild(database);
    await eventually(() => stateOf(projector) === "projecting");
    expect(projector.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("leaves out an event that Postgres refuses, and goes on with the rest", async () => {
    const projector = await start();
    await database.run(
      (sql) => sql`alter table interactions add constraint odd check (interaction_id <> 'odd-question')`,
    );
    await ask("odd-question");
    const id = freshId();
    expect(await waitForSequence(database, await ask(id), 2_000)).toBe(true);
    expect(await listedIds()).toContain(id);
    expect(projector.lines.some(({ level }) => level === "error")).toBe(true);
  });
});

describe("without Postgres", () => {
  it("waits, and catches up by itself when it is back", async () => {
    const postgres = await startOwnPostgres();
    const own = await openTestDatabase(postgres.url);
    const projector = await start(own);
    await waitForSequence(own, await ask(freshId()), 5_000);

    await postgres.kill();
    await eventually(() => stateOf(projector) === "failing", { withinMs: 10_000 });
    const sequence = await ask(freshId());
    await expect(listItems(own, PENDING, OPERATOR, Date.now())).rejects.toMatchObject({
      code: "database_unavailable",
    });
    expect(await own.isUp()).toBe(false);

    await postgres.restart();
    await eventually(() => own.isUp(), { withinMs: 10_000 });
    expect(await waitForSequence(own, sequence, 5_000)).toBe(true);
    expect(stateOf(projector)).toBe("projecting");
    await projector.stop();
    await own.close();
    await postgres.stop();
  });

  it("starts, and stops within seconds", async () => {
    const away = openDatabase({ url: "postgres://postgres@127.0.0.1:1/none", applicationName: "away" });
    const projector = await startProjector(log, away);
    await eventually(() => stateOf(projector) === "failing");
    const startedAt = performance.now();
    await projector.stop();
    await away.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
