import { logBounds, openLog, readRunsForward, STREAMS } from "@interlude/event-log";
import { createDatabase, eventually, freePort, type OwnServer, startOwnPostgres } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Child, startChild } from "../support/child-process.ts";
import { converse, faultsOf } from "../support/converse.ts";
import { continuationOf, converseAboutRuns } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";
import type { Reply } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

describe("with Postgres away", () => {
  let postgres: OwnServer;
  let interlude: Interlude;
  const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
  const { answer, call } = converse(at);
  const runs = converseAboutRuns(at);

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const { url } = await createDatabase(postgres.url);
    interlude = await startInterlude({ env: { DATABASE_URL: url } });
  });
  afterAll(async () => {
    await interlude.stop();
    await postgres.stop();
  });

  it("runs park and held claims complete; claims and lists are 503, and resumes go on when it is back", async () => {
    const driver = await runs.registered();
    const before = await runs.asked(driver, "held");
    await runs.park(driver, "held", [before]);
    await answer(before, "x");
    const held = String((await runs.claimed(driver)).json["claim_id"]);
    const waiting = runs.claim(driver, "?wait=30");
    // They are served in order: the one above has been looked for when this one has.
    expect((await runs.claim(driver)).status).toBe(204);

    await postgres.kill();
    await eventually(async () => (await call("/readyz")).json["status"] === "degraded");
    const another = await runs.registered();
    const early = await runs.asked(another, "r");
    const late = await runs.asked(driver, "parked meanwhile");
    expect((await runs.park(another, "r", [early])).status).toBe(201);
    expect((await runs.park(driver, "parked meanwhile", [late])).json["remaining"]).toBe(1);
    expect((await runs.park(driver, "parked meanwhile", [late])).status).toBe(201);
    for (const id of [early, late]) expect((await answer(id, "meanwhile")).status).toBe(200);
    expect((await runs.heartbeat(held)).status).toBe(200);
    expect((await runs.complete(held, { result: 1 })).status).toBe(200);
    const away = [
      runs.claim(another),
      runs.list(),
      runs.show(driver, "held"),
      runs.replay(driver, "held"),
      runs.register(driver, { checkpointer: { kind: "postgres", retention_seconds: 60 } }),
    ];
    for (const refused of await Promise.all(away)) {
      expect(faultsOf(refused)).toMatchObject({ status: 503, code: "unavailable" });
      expect(refused.headers.get("retry-after")).toBe("1");
    }

    await postgres.restart();
    const resumed = await waiting;
    expect(resumed.status).toBe(200);
    expect(runs.resolutionsOf(resumed)).toEqual({ [late]: "meanwhile" });
    expect(runs.resolutionsOf(await runs.claimed(another))).toEqual({ [early]: "meanwhile" });
    await eventually(async () => (await call("/readyz")).json["status"] === "ok", { withinMs: 20_000 });
    expect((await runs.show(driver, "held")).json).toMatchObject({ state: "resumed" });
  });
});

describe("a fan-out of 120 runs", () => {
  const RUNS = 120;
  const WORKERS = 8;
  let servers: Interlude;
  let ports: number[];
  let children: Child[];
  const conversations: { runs: ReturnType<typeof converseAboutRuns>; at: () => Deployment }[] = [];

  beforeAll(async () => {
    servers = await startInterlude();
    await servers.detach();
    ports = [await freePort(), await freePort()];
    children = ports.map(serve);
    await Promise.all(children.map((child) => child.says(/ready/)));
    for (const port of ports) {
      const at = () => ({ url: `http://127.0.0.1:${port}`, natsUrl: servers.nats.url, keys: servers.keys });
      conversations.push({ at, runs: converseAboutRuns(at) });
    }
  }, 120_000);
  afterAll(async () => {
    await Promise.all(children.map((child) => child.kill()));
    await servers.stop();
  });

  function serve(port: number): Child {
    return startChild(["serve"], {
      ...servers.shared,
      PORT: String(port),
      NATS_URL: servers.nats.url,
      DATABASE_URL: servers.databaseUrl,
      INTERLUDE_API_KEYS_FILE: servers.apiKeysFile,
      INTERLUDE_RESUME_LEASE_SECONDS: "5",
    });
  }

  /** Asks until it is answered in one of these ways, of whichever process is there. */
  async function insist(
    ask: (each: (typeof conversations)[number]) => Promise<Reply>,
    statuses: readonly number[],
  ): Promise<Reply> {
    let turn = 0;
    let answered: Reply | undefined;
    await eventually(
      async () => {
        const each = conversations[turn++ % conversations.length];
        const reply = each === undefined ? undefined : await ask(each).catch(() => undefined);
        if (reply !== undefined && statuses.includes(reply.status)) answered = reply;
        return answered !== undefined;
      },
      { withinMs: 60_000, everyMs: 50 },
    );
    if (answered === undefined) throw new Error("nobody answered");
    return answered;
  }

  it(
    "resumes each run once, whatever is killed: a process, the log's server, and the process again",
    { timeout: 180_000 },
    async () => {
      const runIds = Array.from({ length: RUNS }, (_, each) => `run-${each}`);
      const [first] = conversations;
      if (first === undefined) throw new Error("nobody to ask");
      const { runs } = first;
      const driver = await runs.registered();
      const questions = new Map<string, string[]>();
      await inTurns(runIds, 12, async (runId) => {
        const ids = [await runs.asked(driver, runId), await runs.asked(driver, runId)];
        questions.set(runId, ids);
        expect((await runs.park(driver, runId, ids)).status).toBe(201);
      });

      const completed = new Map<string, number[]>();
      let isOver = false;
      const work = async (): Promise<void> => {
        while (!isOver) {
          const claimed = await insist(({ runs: r }) => r.claim(driver, "?wait=1"), [200, 204]);
          if (claimed.status === 204) continue;
          const runId = String(continuationOf(claimed)["run_id"]);
          const done = await insist(
            ({ runs: r }) => r.complete(String(claimed.json["claim_id"])),
            [200, 409],
          );
          if (done.status === 409) continue;
          completed.set(runId, [...(completed.get(runId) ?? []), Number(claimed.json["fencing"])]);
        }
      };
      const workers = Array.from({ length: WORKERS }, work);

      const answering = inTurns([...questions.values()].flat(), 6, async (id) => {
        const headers = { "idempotency-key": id };
        await insist(({ at }) => converse(at).answer(id, `to ${id}`, { headers }), [200]);
      });
      await eventually(() => completed.size > RUNS / 10, { withinMs: 60_000 });
      await children[1]?.kill();
      await servers.nats.kill();
      await servers.nats.restart();
      await eventually(() => completed.size > RUNS / 3, { withinMs: 60_000 });
      children[1] = serve(ports[1] ?? 0);
      await children[0]?.kill();
      await children[1].says(/ready/);
      children[0] = serve(ports[0] ?? 0);
      await answering;
      await eventually(() => completed.size === RUNS, { withinMs: 90_000 });
      isOver = true;
      await Promise.all(workers);

      expect([...completed.values()].filter(({ length }) => length !== 1)).toEqual([]);
      const { requested, resumed } = await storedOf(driver);
      expect(requested.toSorted()).toEqual(runIds.toSorted());
      expect(resumed.toSorted()).toEqual(runIds.toSorted());
      await insist(({ runs: r }) => r.list(`?driver=${driver}&state=resumed`), [200]);
      for (const state of ["parked", "resuming", "failed"]) {
        const left = await insist(({ runs: r }) => r.list(`?driver=${driver}&state=${state}`), [200]);
        expect(left.json["items"]).toEqual([]);
      }
    },
  );

  /** Whose resume was requested and completed, as often as the log says so. */
  async function storedOf(driver: string): Promise<{ requested: string[]; resumed: string[] }> {
    const log = await openLog({ url: servers.nats.url, service: "witness" });
    const { lastSequence } = await logBounds(log, STREAMS.runs);
    const found = { requested: [] as string[], resumed: [] as string[] };
    const over = new AbortController();
    const onUnreadable = (error: unknown) => {
      throw error;
    };
    for await (const each of readRunsForward(log, { fromSequence: 1, signal: over.signal, onUnreadable })) {
      if (each.address !== undefined && each.address.driver === driver) {
        const { type, data } = each.entry;
        if (type === "resume_requested") found.requested.push(data.run_id);
        if (type === "resumed") found.resumed.push(data.run_id);
      }
      if (each.sequence >= lastSequence) break;
    }
    over.abort();
    await log.close();
    return found;
  }
});

async function inTurns<T>(
  items: readonly T[],
  atATime: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atATime }, lane));
}
