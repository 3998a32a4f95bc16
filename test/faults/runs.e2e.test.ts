import { createDatabase, eventually, type OwnServer, startOwnPostgres } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse, faultsOf } from "../support/converse.ts";
import { converseAboutRuns } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";
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
