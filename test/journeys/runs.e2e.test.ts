import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { type RunConversation, converseAboutRuns } from "../support/converse-runs.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { answer, call } = converse(at);
const runs: RunConversation = converseAboutRuns(at);

beforeAll(async () => {
  interlude = await startInterlude();
});
afterAll(() => interlude.stop());

describe("a run", () => {
  it("parks, is resumed by the last answer, is claimed and completes once", async () => {
    const driver = await runs.registered();
    const [one, two] = [await runs.asked(driver, "run 1"), await runs.asked(driver, "run 1")];
    const parked = await runs.park(driver, "run 1", [one, two]);
    expect([parked.status, parked.json["remaining"]]).toEqual([201, 2]);
    const park_id = parked.json["park_id"];
    const base = { driver, run_id: "run 1", park_id };
    expect((await runs.show(driver, "run 1")).json).toEqual({
      ...base,
      ...{ state: "parked", remaining: 2, attempts: 0 },
    });
    expect((await runs.claim(driver)).status).toBe(204);

    const waiting = runs.claim(driver, "?wait=10");
    expect((await answer(two, "second")).status).toBe(200);
    expect((await runs.show(driver, "run 1")).json).toMatchObject({ state: "parked", remaining: 1 });
    expect((await answer(one, "first")).status).toBe(200);
    const claimed = await waiting;
    expect(claimed.status).toBe(200);
    expect(claimed.json).toMatchObject({
      kind: "resume",
      lease_seconds: 60,
      continuation: { run_id: "run 1", park_id, identity: { subject: "ann", groups: ["sales"] } },
    });
    expect(runs.resolutionsOf(claimed)).toEqual({ [one]: "first", [two]: "second" });
    expect((await runs.show(driver, "run 1")).json).toEqual({
      ...base,
      ...{ state: "resuming", remaining: 0, attempts: 1 },
    });
    expect((await runs.claim(driver)).status).toBe(204);

    const claimId = String(claimed.json["claim_id"]);
    expect((await runs.heartbeat(claimId)).json).toMatchObject({ claim_id: claimId, state: "resuming" });
    expect((await runs.complete(claimId, { result: { done: true } })).status).toBe(200);
    expect((await runs.complete(claimId, { result: { done: true } })).status).toBe(200);
    expect((await runs.heartbeat(claimId)).json["code"]).toBe("lease_lost");
    expect((await runs.show(driver, "run 1")).json).toMatchObject({ state: "resumed" });
    expect((await runs.claim(driver)).status).toBe(204);
    const token = String(claimed.json["token"]);
    expect((await call(`/api/interactions/${one}`, { key: token })).status).toBe(401);
  });
});
