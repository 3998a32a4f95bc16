import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ContinuationReceiver, startContinuationReceiver } from "../support/continuation-receiver.ts";
import { converse, faultsOf, messagesOf } from "../support/converse.ts";
import { converseAboutRuns, resolutionList } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";
import type { Reply } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const SECRET = "whsec_continuations";
let receiver: ContinuationReceiver;
let interlude: Interlude;
const denyFile = join(temporaryHome("deny"), "deny.json");
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { answer, call } = converse(at);
const runs = converseAboutRuns(at);

function deny(...subjects: string[]): void {
  writeFileSync(denyFile, JSON.stringify(subjects));
}

beforeAll(async () => {
  deny();
  receiver = await startContinuationReceiver(SECRET);
  interlude = await startInterlude({
    settings: { resume_lease_seconds: 1, resume_attempts: 2 },
    env: { INTERLUDE_DENY_FILE: denyFile, INTERLUDE_CONTINUATION_URLS: receiver.origin },
    secrets: { continuations: SECRET },
  });
});
afterAll(async () => {
  await interlude.stop();
  await receiver.stop();
});

async function released(driver: string, runId: string, key?: string): Promise<string> {
  const sent = key === undefined ? {} : { key };
  const id = await runs.asked(driver, runId, {}, sent);
  expect((await runs.park(driver, runId, [id], {}, sent)).status).toBe(201);
  expect((await answer(id, `to ${runId}`)).status).toBe(200);
  return id;
}

const claimIdOf = (claimed: Reply) => String(claimed.json["claim_id"]);
const isInState = (driver: string, runId: string, state: string, key?: string) =>
  eventually(
    async () => (await runs.show(driver, runId, key === undefined ? {} : { key })).json["state"] === state,
    { withinMs: 10_000 },
  );

describe("a lease", () => {
  it("that runs out is lost, whether or not another holds it, and whoever waits has the run then", async () => {
    const driver = await runs.registered();
    await released(driver, "r");
    const first = await runs.claimed(driver);
    expect(first.json["lease_seconds"]).toBe(1);
    const second = await runs.claimed(driver);
    expect(Number(second.json["fencing"])).toBeGreaterThan(Number(first.json["fencing"]));
    for (const late of [
      runs.heartbeat(claimIdOf(first)),
      runs.complete(claimIdOf(first)),
      runs.fail(claimIdOf(first), { reason: "x", retry: true }),
    ]) {
      expect(faultsOf(await late)).toMatchObject({ status: 409, code: "lease_lost" });
    }
    expect((await runs.show(driver, "r")).json).toMatchObject({ state: "resuming", attempts: 2 });
    // Nobody else has it, and it is lost all the same.
    const until = Date.parse(String((await runs.heartbeat(claimIdOf(second))).json["lease_until"]));
    await eventually(() => Date.now() > until + 5);
    expect((await runs.complete(claimIdOf(second))).json["code"]).toBe("lease_lost");

    expect((await runs.claim(driver, "?wait=0.5")).status).toBe(204);
    const failed = (await runs.show(driver, "r")).json;
    expect(failed).toMatchObject({ state: "failed", attempts: 2 });
    expect(failed["reason"]).toMatch(/lease/);
    expect((await runs.replay(driver, "r")).json).toMatchObject({ state: "resuming", attempts: 0 });
    const third = await runs.claimed(driver);
    expect((await runs.complete(claimIdOf(third))).status).toBe(200);
  });

  it("A-NATS-2 is kept by heartbeats for as long as they come: no second worker has it meanwhile", async () => {
    const driver = await runs.registered();
    await released(driver, "r");
    const claimed = await runs.claimed(driver);
    const other = runs.claim(driver, "?wait=2.5");
    let isOver = false;
    void other.then(() => {
      isOver = true;
    });
    await eventually(
      async () => {
        expect((await runs.heartbeat(claimIdOf(claimed))).status).toBe(200);
        return isOver;
      },
      { everyMs: 250 },
    );
    expect((await other).status).toBe(204);
    expect((await runs.complete(claimIdOf(claimed))).status).toBe(200);
  });

  it("whose worker gives up on the last attempt ends the resume, with that reason", async () => {
    const driver = await runs.registered();
    await released(driver, "r");
    for (const reason of ["first", "second"]) {
      const claimed = await runs.claimed(driver);
      await runs.fail(claimIdOf(claimed), { reason, retry: true });
    }
    expect((await runs.show(driver, "r")).json).toMatchObject({
      ...{ state: "failed", attempts: 2, reason: "second" },
    });
  });
});

describe("a subject that is disabled since", () => {
  it("has its resumes fail with the reason, and replayed once it is back", async () => {
    const key = interlude.keys.otherAsker;
    const driver = await runs.registered({}, { key });
    const [parked, resuming, held] = ["parked", "resuming", "held"];
    const open = await runs.asked(driver, parked, {}, { key });
    await runs.park(driver, parked, [open], {}, { key });
    await released(driver, held, key);
    const claimed = await runs.claimed(driver, { key });
    await released(driver, resuming, key);
    deny("alan");
    await eventually(async () => (await call("/api/me", { key })).status === 401);
    const olga = interlude.keys.operator;
    await isInState(driver, resuming, "failed", olga);
    // What it holds is not taken from it before its lease ends.
    await isInState(driver, held, "failed", olga);
    // Its question is answered all the same, and then nobody may go on.
    expect((await answer(open, "late")).status).toBe(200);
    await isInState(driver, parked, "failed", olga);
    for (const runId of [parked, resuming, held]) {
      const shown = (await runs.show(driver, runId, { key: olga })).json;
      expect(shown["reason"]).toMatch(/"alan".*disabled/);
    }
    expect((await call("/api/me", { key: String(claimed.json["token"]) })).status).toBe(401);
    deny();
    await eventually(async () => (await call("/api/me", { key })).status === 200);
    expect((await runs.replay(driver, parked, { key })).status).toBe(200);
    expect(runs.resolutionsOf(await runs.claimed(driver, { key }))).toEqual({ [open]: "late" });
  });
});

describe("a driver that has its continuations posted", () => {
  const deliver = (path: string) => ({
    deliver: { url: `${receiver.origin}${path}`, secret_ref: "continuations" },
  });
  const to = (path: string) => receiver.received.filter((each) => each.path === path);

  it("is sent each once, signed, and its answer is the result", async () => {
    const path = `/${crypto.randomUUID()}`;
    receiver.answer(() => ({ status: 200, body: '{"done":true}' }));
    const driver = await runs.registered(deliver(path));
    const ids = [await released(driver, "a"), await released(driver, "b")];
    for (const runId of ["a", "b"]) await isInState(driver, runId, "resumed");
    expect(to(path).map(({ isSigned, claim }) => [isSigned, claim["kind"], claim["lease_seconds"]])).toEqual([
      [true, "resume", 1],
      [true, "resume", 1],
    ]);
    const carried = to(path).flatMap(({ claim }) => resolutionList({ json: claim } as Reply));
    expect(carried.map((each) => each["interaction_id"]).toSorted()).toEqual(ids.toSorted());
  });

  it.each([409, 410])("that answers %d has its resume fail for good", async (status) => {
    const path = `/${crypto.randomUUID()}`;
    receiver.answer(() => ({ status }));
    const driver = await runs.registered(deliver(path));
    await released(driver, "r");
    await isInState(driver, "r", "failed");
    expect((await runs.show(driver, "r")).json).toMatchObject({ attempts: 1 });
    expect(to(path)).toHaveLength(1);
  });

  it.each([
    [500, {}],
    [404, {}],
    [302, { location: "/elsewhere" }],
  ])("that answers %d is sent it again, and nothing goes anywhere else", async (status, headers) => {
    const path = `/${crypto.randomUUID()}`;
    const elsewhere = to("/elsewhere").length;
    receiver.answer(() => (to(path).length === 1 ? { status, headers } : { status: 204 }));
    const driver = await runs.registered(deliver(path));
    await released(driver, "r");
    await isInState(driver, "r", "resumed");
    const [first, second] = to(path);
    expect(Number(second?.claim["fencing"])).toBeGreaterThan(Number(first?.claim["fencing"]));
    expect(to("/elsewhere")).toHaveLength(elsewhere);
  });

  it("that works for longer than a lease keeps it as long as it answers at last", async () => {
    const path = `/${crypto.randomUUID()}`;
    receiver.answer(() => ({ status: 200, delayMs: 2_200, body: "it took a while" }));
    const driver = await runs.registered(deliver(path));
    await released(driver, "r");
    await isInState(driver, "r", "resumed");
    expect(to(path)).toHaveLength(1);
    expect((await runs.show(driver, "r")).json).toMatchObject({ attempts: 1 });
  });

  it("may change to taking its claims itself, and where they are posted", async () => {
    const [one, two] = [`/${crypto.randomUUID()}`, `/${crypto.randomUUID()}`];
    receiver.answer(() => ({ status: 200 }));
    const driver = await runs.registered(deliver(one));
    await released(driver, "a");
    await isInState(driver, "a", "resumed");
    await runs.register(driver, deliver(two));
    await released(driver, "b");
    await isInState(driver, "b", "resumed");
    await runs.register(driver, {});
    await released(driver, "c");
    await runs.complete(claimIdOf(await runs.claimed(driver)));
    expect([to(one).length, to(two).length]).toEqual([1, 1]);
  });

  it("is refused for any other origin, by name, and for a secret that there is not", async () => {
    const near = [
      receiver.origin.replace("http:", "https:"),
      receiver.origin.replace("127.0.0.1", "localhost"),
    ];
    for (const url of near) {
      const refused = await runs.register("d", { deliver: { url, secret_ref: "continuations" } });
      expect(faultsOf(refused)).toMatchObject({ status: 400, paths: ["/deliver/url"] });
      expect(messagesOf(refused)).toContain(new URL(url).origin);
    }
    const unknown = { url: receiver.origin, secret_ref: "other" };
    expect(faultsOf(await runs.register("d", { deliver: unknown }))).toMatchObject({
      paths: ["/deliver/secret_ref"],
    });
  });
});

it("what waits and what has failed is measured", async () => {
  const driver = await runs.registered();
  const id = await runs.asked(driver, "waiting");
  await runs.park(driver, "waiting", [id]);
  const metric = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  await eventually(
    async () => {
      const { text } = await call("/metrics", { key: interlude.keys.operator });
      expect(metric(text, 'interlude_runs{state="parked"}')).toBeGreaterThanOrEqual(1);
      expect(metric(text, 'interlude_runs{state="failed"}')).toBeGreaterThanOrEqual(1);
      expect(metric(text, 'interlude_oldest_run_seconds{state="parked"}')).toBeGreaterThan(0);
    },
    { withinMs: 20_000, everyMs: 250 },
  );
});
