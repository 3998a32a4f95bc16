import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converseAboutRuns } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { runCasesSuite } from "../suites/run-cases.ts";
import { runClaimsSuite } from "../suites/run-claims.ts";
import { runDoorsSuite } from "../suites/run-doors.ts";
import { runReadingSuite } from "../suites/run-reading.ts";
import { runsSuite } from "../suites/runs.ts";

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });

beforeAll(async () => {
  interlude = await startInterlude();
});
afterAll(() => interlude.stop());

describe("in one process", () => {
  runsSuite(at);
  runClaimsSuite(at);
  runCasesSuite(at);
  runDoorsSuite(at);
  runReadingSuite(at);
});

it("a park of 2 MiB is judged, a byte more is 413", async () => {
  const runs = converseAboutRuns(at);
  const driver = await runs.registered();
  const park = (bytes: number) => {
    const body = JSON.stringify({ interaction_ids: ["unknown-id"] }).padEnd(bytes, " ");
    const headers = { "content-type": "application/json" };
    return runs.call(`/api/runs/${driver}/r/park`, { method: "POST", body, headers });
  };
  expect((await park(2_097_152)).status).toBe(404);
  expect((await park(2_097_153)).status).toBe(413);
});
