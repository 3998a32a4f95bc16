import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { talk } from "../support/talk.ts";

/** One chat, whose messages go to two drivers by what they say, and to one that nobody works for. */
const ROUTES = [
  { channel: "telegram", match: { text_prefix: "/order" }, target: { driver: "orders" } },
  { channel: "telegram", match: { text_prefix: "/away" }, target: { driver: "away" } },
  { channel: "telegram", target: { driver: "chat" } },
];
const PEOPLE = [2001, 2002, 2003, 2004];

let telegram: TelegramFake;
let interlude: Interlude;
const talking = talk(() => interlude);

beforeAll(async () => {
  const routesFile = join(temporaryHome("routes"), "routes.json");
  writeFileSync(routesFile, JSON.stringify(ROUTES));
  telegram = await startTelegramFake({
    chats: PEOPLE.map((id) => ({ id, type: "private", people: [{ id, name: `Person ${id}` }] })),
  });
  interlude = await startInterlude({
    settings: { resume_lease_seconds: 2 },
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_WEBHOOK_SECRET: "hook-secret",
      TELEGRAM_API_URL: telegram.apiUrl,
      INTERLUDE_ROUTES_FILE: routesFile,
    },
  });
  await fetch(`${telegram.apiUrl}/bot${telegram.token}/setWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ url: `${interlude.url}/api/channels/telegram/webhook`, secret_token: "hook-secret" },
    }),
  });
  for (const name of ["orders", "chat", "away"]) {
    await talking.call("POST", "/api/drivers", { name, checkpointer: { kind: "postgres" } });
  }
});
afterAll(async () => {
  await interlude.stop();
  await telegram.stop();
});

type Claimed = { claim_id: string; fencing: number; turn: { run_id: string; text: string } };

async function claim(driver: string, wait = 10): Promise<Claimed | undefined> {
  const response = await fetch(`${interlude.url}/api/drivers/${driver}/claims?wait=${wait}`, {
    method: "POST",
    headers: { authorization: `Bearer ${interlude.apiKey}` },
  });
  expect([200, 204]).toContain(response.status);
  return response.status === 204 ? undefined : ((await response.json()) as Claimed);
}

async function claimed(driver: string): Promise<Claimed> {
  const found = await claim(driver);
  if (found === undefined) throw new Error(`there was nothing to claim for ${driver}`);
  return found;
}

const end = (what: "complete" | "fail" | "heartbeat", { claim_id }: Claimed, body: object = {}) =>
  talking.call("POST", `/api/claims/${claim_id}/${what}`, body);

const say = (who: number, text: string) => telegram.person.type({ conversation: String(who), text });

/** Both of them are known of, so that what is not given is held back and not on its way. */
async function untilWaiting(who: string, count: number): Promise<void> {
  await eventually(async () => {
    const { body } = await talking.call("GET", `/api/runs?state=resuming&driver=${who}`);
    expect((body as { items: unknown[] }).items).toHaveLength(count);
  });
}

describe("a chat whose messages go to two drivers", () => {
  it("has one open claim: the other driver's waits until it is completed, and is given then at once", async () => {
    await say(2001, "/order two");
    await say(2001, "how are you?");
    await untilWaiting("chat", 1);
    const first = await claimed("orders");
    expect(await claim("chat", 0)).toBeUndefined();
    const waiting = claim("chat", 20);
    expect((await end("heartbeat", first)).status).toBe(200);
    expect((await end("complete", first)).status).toBe(200);
    const second = await waiting;
    expect(second).toMatchObject({ turn: { run_id: first.turn.run_id, text: "how are you?" } });
    expect(second?.fencing).toBeGreaterThan(first.fencing);
    // The other way round, and by giving up.
    await say(2001, "/order three");
    await untilWaiting("orders", 1);
    expect(await claim("orders", 0)).toBeUndefined();
    const next = claim("orders", 20);
    if (second !== undefined) await end("fail", second, { reason: "no", retry: false });
    const third = await next;
    expect(third?.turn.text).toBe("/order three");
    if (third !== undefined) await end("complete", third);
  });

  it("is free again when a worker has died: at the end of its lease, and its late word is refused", async () => {
    await say(2002, "/order one");
    const dead = await claimed("orders");
    await say(2002, "hello?");
    await untilWaiting("chat", 1);
    const other = await claimed("chat");
    expect(other.turn.text).toBe("hello?");
    expect(other.fencing).toBeGreaterThan(dead.fencing);
    expect(await end("complete", dead)).toMatchObject({ status: 409, body: { code: "lease_lost" } });
    await end("complete", other);
    const again = await claimed("orders");
    expect(again.turn.text).toBe("/order one");
    await end("complete", again);
  });

  it("is held by nothing that waits for a driver without workers, nor by what is tried again later", async () => {
    await say(2003, "/away message");
    await untilWaiting("away", 1);
    await say(2003, "/order first");
    const tried = await claimed("orders");
    await say(2003, "and hello");
    await untilWaiting("chat", 1);
    const waiting = claim("chat", 20);
    await end("fail", tried, { reason: "later", retry: true });
    const chat = await waiting;
    expect(chat?.turn.text).toBe("and hello");
    if (chat !== undefined) await end("complete", chat);
    await end("complete", await claimed("orders"));
  });

  it("is free while a run of it is parked, and its resume waits for what is open then", async () => {
    await say(2004, "/order parked");
    const first = await claimed("orders");
    const run = { driver: "orders", run_id: first.turn.run_id };
    const expiry_at = new Date(Date.now() + 600_000).toISOString();
    const question = { id: "sure-of-it", question: "Sure?", mode: "async", expiry_at, run };
    expect((await talking.call("POST", "/api/interactions", question)).status).toBe(201);
    await talking.call("POST", `/api/runs/orders/${run.run_id}/park`, { interaction_ids: ["sure-of-it"] });
    expect((await end("complete", first, { parked: true })).status).toBe(200);
    await say(2004, "meanwhile");
    const meanwhile = await claimed("chat");
    await talking.call("POST", "/api/interactions/sure-of-it/answer", { answer: "yes" });
    await untilWaiting("orders", 1);
    expect(await claim("orders", 0)).toBeUndefined();
    const resumed = claim("orders", 20);
    await end("complete", meanwhile);
    const goesOn = await resumed;
    expect(goesOn).toMatchObject({ kind: "resume", continuation: { run_id: run.run_id } });
    if (goesOn !== undefined) await end("complete", goesOn);
  });
});
