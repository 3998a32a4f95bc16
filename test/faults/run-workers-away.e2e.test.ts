import { eventually, freePort } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Child, startChild } from "../support/child-process.ts";
import { idsOf, converse } from "../support/converse.ts";
import { converseAboutRuns, resolutionList } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let servers: Interlude;
const children: Child[] = [];

beforeAll(async () => {
  servers = await startInterlude();
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await servers.stop();
});

/** The product on the same servers, all of it or one service. */
async function start(args: readonly string[]): Promise<{ child: Child; at: () => Deployment }> {
  const port = await freePort();
  const child = startChild(args, {
    ...servers.shared,
    PORT: String(port),
    NATS_URL: servers.nats.url,
    DATABASE_URL: servers.databaseUrl,
    INTERLUDE_API_KEYS_FILE: servers.apiKeysFile,
    INTERACTIONS_PUBLIC_BASE_URL: servers.url,
  });
  children.push(child);
  await child.says(/ready/);
  return {
    child,
    at: () => ({ url: `http://127.0.0.1:${port}`, natsUrl: servers.nats.url, keys: servers.keys }),
  };
}

it(
  "A-NATS-4, A-IDEM-3 an answer that comes while no coordinator runs resumes once it does, though NATS died in between",
  { timeout: 120_000 },
  async () => {
    const before = converseAboutRuns(() => ({ ...servers, natsUrl: servers.nats.url }));
    const driver = await before.registered();
    const link = "https://example.com/?to={callback_url}";
    const asked = await before.ask(driver, "r", { answer_format: "external", link });
    const id = String(asked.json["interaction_id"]);
    const ticket = new URL(new URL(String(asked.json["link"])).searchParams.get("to") ?? "").pathname;
    expect((await before.park(driver, "r", [id])).status).toBe(201);
    await servers.detach();

    const gateway = await start(["service", "answer-gateway"]);
    const doors = converse(gateway.at);
    expect((await doors.call(ticket, { json: { approved: true } })).status).toBe(200);
    await servers.nats.kill();
    await servers.nats.restart();
    await eventually(async () => (await doors.call("/readyz")).status === 200, { withinMs: 20_000 });
    expect((await doors.call(ticket, { json: { approved: false } })).json["status"]).toBe("already_answered");

    const { at } = await start(["serve"]);
    const after = converseAboutRuns(at);
    const claimed = await after.claim(driver, "?wait=30");
    expect(resolutionList(claimed)).toMatchObject([
      { interaction_id: id, answer: { approved: true }, answered_by: "external-callback" },
    ]);
    expect((await after.complete(String(claimed.json["claim_id"]))).status).toBe(200);
    expect((await after.claim(driver, "?wait=0.5")).status).toBe(204);
    expect((await after.show(driver, "r")).json).toMatchObject({ state: "resumed", attempts: 1 });
    expect(idsOf(await converse(at).list("?status=all"))).toEqual([id]);
  },
);
