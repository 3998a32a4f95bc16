import { createDatabase, eventually, freePort, type OwnServer, startOwnPostgres } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChild } from "../support/child-process.ts";
import { converse, faultsOf, idsOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStream } from "../support/event-stream.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { STORM_SIZE } from "../support/storm.ts";
import { startTcpRelay, type TcpRelay } from "../support/tcp-relay.ts";

/** Asked, answered and waited for at the same time; a larger machine may take more. */

let postgres: OwnServer;
let relay: TcpRelay;
let databaseUrl: string;
let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { ask, asked, answer, result, list, listed, item, call } = converse(at);

beforeAll(async () => {
  postgres = await startOwnPostgres();
  const database = await createDatabase(postgres.url);
  relay = await startTcpRelay(new URL(database.url));
  const throughRelay = new URL(database.url);
  throughRelay.port = String(relay.port);
  databaseUrl = throughRelay.href;
  interlude = await startInterlude({
    settings: { max_concurrent: 0, max_waits: 0 },
    env: { DATABASE_URL: databaseUrl },
  });
});

afterAll(async () => {
  await interlude.stop();
  await relay.stop();
  await postgres.stop();
});

async function readiness(): Promise<unknown[]> {
  const { status, json } = await call("/readyz");
  return [status, json["status"]];
}

it(`with Postgres away ${STORM_SIZE} at once are asked and answered, and waking, streaming and expiring go on; only the list says 503`, async () => {
  const old = await asked({ question: "Before?" });
  const stream = await openStream(interlude.url, { key: interlude.keys.answerer });
  await postgres.kill();
  await eventually(async () => (await readiness())[1] === "degraded");
  expect(await readiness()).toEqual([200, "degraded"]);

  const during = Array.from({ length: STORM_SIZE }, (_, each) => `without-list-${each}`);
  const replies = await Promise.all(during.map((id) => ask({ id, question: "Meanwhile?" })));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  const waiting = during.map((id) => result(id, "?wait=50"));
  const answers = await Promise.all([old, ...during].map((id) => answer(id, `to ${id}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await Promise.all(waiting)).map(({ json }) => json["answer"])).toEqual(
    during.map((id) => `to ${id}`),
  );
  // Each said once, however many at a time.
  for (const id of during) await stream.frameOf(id, "interaction.answered");
  const told = stream.frames.filter(({ event }) => event === "interaction.answered");
  expect(told).toHaveLength(STORM_SIZE + 1);

  const short = await asked({ timeout_seconds: 0.3 });
  expect((await result(short, "?wait=5")).json["status"]).toBe("expired");
  await stream.frameOf(short, "interaction.removed");
  expect((await item(old)).json["status"]).toBe("answered");

  const refused = await list();
  expect(faultsOf(refused)).toMatchObject({ status: 503, code: "unavailable" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  stream.close();
});

it("when it is back the list is whole, by itself", async () => {
  await postgres.restart();
  await eventually(async () => (await readiness())[1] === "ok", { withinMs: 20_000 });
  const last = await ask({ question: "After?" });
  const pages = [await listed("?status=answered&page_size=200", last.json["sequence"])];
  for (
    let next = pages[0]?.json["next_page"];
    typeof next === "number";
    next = pages.at(-1)?.json["next_page"]
  )
    pages.push(await list(`?status=answered&page_size=200&page=${next}`));
  expect(new Set(pages.map(({ status, json }) => [status, json["total"]].join()))).toEqual(
    new Set([`200,${STORM_SIZE + 1}`]),
  );
  const ids = pages.flatMap(idsOf);
  expect([ids.length, new Set(ids).size]).toEqual([STORM_SIZE + 1, STORM_SIZE + 1]);
  expect((await list("?status=expired")).json["total"]).toBe(1);
  expect(idsOf(await list())).toEqual([last.json["interaction_id"]]);
});

it(
  "a Postgres that hangs holds up the list for a bounded time, and nothing else",
  { timeout: 60_000 },
  async () => {
    relay.freeze();
    const begun = performance.now();
    const hanging = [list(), list("?at_least=1")];
    // Somebody who has not asked before: how many questions they have open cannot be known now.
    const id = await asked({}, { key: interlude.keys.otherAsker });
    expect((await answer(id, "x")).status).toBe(200);
    expect((await result(id, "", { key: interlude.keys.operator })).json["answer"]).toBe("x");
    expect(performance.now() - begun).toBeLessThan(2_000);
    for (const reply of await Promise.all(hanging)) expect(reply.status).toBe(503);
    expect(performance.now() - begun).toBeLessThan(4_500);
    relay.thaw();
    const newest = "?status=answered&sort=-created_at&page_size=1";
    await eventually(async () => idsOf(await list(newest)).includes(id), { withinMs: 20_000 });
  },
);

it(
  "a process that starts while Postgres is away serves what needs none, and the list once it is back",
  { timeout: 60_000 },
  async () => {
    await postgres.kill();
    const port = await freePort();
    const child = startChild(["serve"], {
      ...interlude.shared,
      PORT: String(port),
      NATS_URL: interlude.nats.url,
      DATABASE_URL: databaseUrl,
      INTERLUDE_API_KEYS_FILE: interlude.apiKeysFile,
    });
    try {
      await child.says(/ready/);
      const beside = converse(() => ({ ...at(), url: `http://127.0.0.1:${port}` }));
      const id = await beside.asked({ question: "Without a list?" });
      expect((await beside.answer(id, "x")).status).toBe(200);
      // The environment has the key that `dev` takes: it is no key here.
      expect((await beside.call("/api/me", { key: interlude.apiKey })).status).toBe(401);
      expect((await beside.list()).status).toBe(503);
      await postgres.restart();
      const newest = "?status=answered&sort=-created_at&page_size=1";
      await eventually(async () => idsOf(await beside.list(newest)).includes(id), { withinMs: 20_000 });
    } finally {
      await child.kill();
    }
  },
);
