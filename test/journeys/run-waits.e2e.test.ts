import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { converse, faultsOf } from "../support/converse.ts";
import { converseAboutRuns } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { asked, result, call } = converse(at);
const runs = converseAboutRuns(at);

beforeAll(async () => {
  interlude = await startInterlude({ settings: { max_waits: 1 } });
});
afterAll(() => interlude.stop());

async function waitingAre(count: number): Promise<void> {
  await eventually(async () => {
    const { text } = await call("/metrics", { key: interlude.keys.operator });
    return text.includes(`interlude_waiting_requests ${count}`);
  });
}

it("a claim that is waited for takes a place among the waits, and gives it back", async () => {
  const driver = await runs.registered();
  const id = await asked();
  const waiting = runs.claim(driver, "?wait=2");
  await waitingAre(1);
  for (const refused of [runs.claim(driver, "?wait=1"), result(id, "?wait=1")]) {
    const reply = await refused;
    expect(faultsOf(reply)).toMatchObject({ status: 429, code: "rate_limited" });
    expect(reply.headers.get("retry-after")).toBe("1");
  }
  expect((await runs.claim(driver)).status).toBe(204);
  expect((await waiting).status).toBe(204);
  expect((await runs.claim(driver, "?wait=0.1")).status).toBe(204);
});

it("a worker that hangs up gives its place back, and the claim that comes then to another", async () => {
  const driver = await runs.registered();
  const hangUp = new AbortController();
  const gone = fetch(`${interlude.url}/api/drivers/${driver}/claims?wait=30`, {
    method: "POST",
    headers: { authorization: `Bearer ${interlude.keys.asker}` },
    signal: hangUp.signal,
  });
  await waitingAre(1);
  hangUp.abort();
  await expect(gone).rejects.toThrow();
  await waitingAre(0);
  const id = await runs.asked(driver, "r");
  await runs.park(driver, "r", [id]);
  await call(`/api/interactions/${id}/cancel`, { method: "POST", key: interlude.keys.asker });
  await runs.claimed(driver);
  expect((await runs.show(driver, "r")).json).toMatchObject({ attempts: 1 });
});

it("a process that stops lets its waiting workers go with 204, at once", async () => {
  const driver = await runs.registered();
  const waiting = runs.claim(driver, "?wait=30");
  await waitingAre(1);
  const begun = performance.now();
  const stopping = interlude.detach();
  expect((await waiting).status).toBe(204);
  await stopping;
  expect(performance.now() - begun).toBeLessThan(5_000);
});
