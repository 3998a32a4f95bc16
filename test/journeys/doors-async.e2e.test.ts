import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse, faultsOf } from "../support/converse.ts";
import type { RunDeployment } from "../support/deployment.ts";
import { openRuns } from "../support/runs.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { asyncAskingSuite } from "../suites/async-asking.ts";
import { claimTokenSuite } from "../suites/claim-tokens.ts";

const folder = mkdtempSync(join(tmpdir(), "interlude-async-"));
const denyFile = join(folder, "deny.json");
let interlude: Interlude;
let strict: Interlude;
const deployment = (of: Interlude): RunDeployment => ({
  ...of,
  natsUrl: of.nats.url,
  sessionKeys: of.shared["INTERLUDE_SESSION_KEYS"] ?? "",
});
const at = () => deployment(interlude);

beforeAll(async () => {
  writeFileSync(denyFile, "[]");
  interlude = await startInterlude();
  strict = await startInterlude({
    beside: interlude,
    settings: { max_parked: 2 },
    env: { INTERLUDE_DENY_FILE: denyFile },
  });
});

afterAll(async () => {
  await strict.stop();
  await interlude.stop();
  rmSync(folder, { recursive: true, force: true });
});

asyncAskingSuite(at);
claimTokenSuite(at);

describe("a process of its own settings", () => {
  const { ask, call } = converse(() => deployment(strict));

  it("holds a subject to max_parked open async questions, which are not among the sync ones", async () => {
    const runs = await openRuns(interlude.nats.url, at().sessionKeys);
    await runs.register("capped", "alan");
    await runs.close();
    const body = {
      ...{ question: "Later?", mode: "async", run: { driver: "capped", run_id: "r" } },
      expiry_at: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const sent = { key: strict.keys.otherAsker };
    await ask(body, sent);
    await ask(body, sent);
    expect(faultsOf(await ask(body, sent))).toMatchObject({ status: 429, code: "limit_reached" });
    expect((await ask({ question: "Now?" }, sent)).status).toBe(201);
  });

  it("takes no token of a subject that has been denied", async () => {
    const runs = await openRuns(interlude.nats.url, at().sessionKeys);
    const { token: key } = await runs.claim("capped", "denied");
    await runs.close();
    expect((await call("/api/me", { key })).status).toBe(403);
    writeFileSync(denyFile, JSON.stringify(["ann"]));
    await expect.poll(async () => (await call("/api/me", { key })).status, { timeout: 10_000 }).toBe(401);
  });
});
