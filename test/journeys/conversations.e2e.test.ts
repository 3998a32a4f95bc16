import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, connect, type Driver, type DriverOptions, type Turn } from "@interlude/sdk";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { talk } from "../support/talk.ts";

const ROUTES = [
  { channel: "telegram", match: { from: "1009" }, target: { driver: "unborn" } },
  {
    channel: "telegram",
    match: { text_prefix: "/order" },
    target: { driver: "orders" },
    reply: "result.say",
  },
  { channel: "telegram", match: { regex: "^(?i)(hello|again|how|late|hm)" }, target: { driver: "chat" } },
];
const PEOPLE = [1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011];

let telegram: TelegramFake;
let interlude: Interlude;
let client: Client;
const talking = talk(() => interlude);
beforeAll(async () => {
  const routesFile = join(temporaryHome("routes"), "routes.json");
  writeFileSync(routesFile, JSON.stringify(ROUTES));
  telegram = await startTelegramFake({
    chats: PEOPLE.map((id) => ({ id, type: "private", people: [{ id, name: `Person ${id}` }] })),
  });
  interlude = await startInterlude({
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_WEBHOOK_SECRET: "hook-secret",
      TELEGRAM_API_URL: telegram.apiUrl,
      INTERLUDE_ROUTES_FILE: routesFile,
    },
  });
  const hook = { url: `${interlude.url}/api/channels/telegram/webhook`, secret_token: "hook-secret" };
  await fetch(`${telegram.apiUrl}/bot${telegram.token}/setWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(hook),
  });
  client = connect({ url: interlude.url, apiKey: interlude.apiKey });
  for (const name of ["orders", "chat"]) {
    const driver = { name, checkpointer: { kind: "postgres" } };
    expect((await talking.call("POST", "/api/drivers", driver)).status).toBe(201);
  }
});
afterAll(async () => {
  await client.close();
  await interlude.stop();
  await telegram.stop();
});
const drivers: Driver[] = [];
beforeEach(() => {
  telegram.forgetRequests();
});
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.stop();
});

type Claimed = {
  claim_id: string;
  kind: string;
  token: string;
  fencing: number;
  turn: { run_id: string; text: string };
};

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
  if (found === undefined) throw new Error("there was nothing to claim");
  return found;
}

const say = (who: number, text: string, replyTo?: string) =>
  telegram.person.type({ conversation: String(who), text, ...(replyTo === undefined ? {} : { replyTo }) });

/** What the bot has said in a chat, oldest first. */
function heard(who: number): string[] {
  return telegram.requests
    .filter(
      ({ operation, fields }) => operation === "sendMessage" && String(fields["chat_id"]) === String(who),
    )
    .map(({ fields }) => String(fields["text"]));
}

async function untilHeard(who: number, texts: readonly string[]): Promise<void> {
  await eventually(
    () => {
      expect(heard(who)).toEqual(texts);
    },
    { withinMs: 10_000 },
  );
}

async function driver(name: string, handlers: Partial<DriverOptions>): Promise<void> {
  drivers.push(await client.driver({ name, checkpointer: { kind: "postgres" }, ...handlers }));
}

const soon = () => new Date(Date.now() + 600_000);

describe("what a person says that answers no question", () => {
  it("is claimed by the driver of its route, and what it completes with is said in the chat", async () => {
    await say(1001, "/order two of them");
    const turn = await claimed("orders");
    expect(turn).toMatchObject({
      kind: "turn",
      turn: { channel: "telegram", thread: "1001", from: "1001", text: "/order two of them" },
    });
    const run = `/api/runs/orders/${turn.turn.run_id}`;
    expect((await talking.call("GET", run)).body).toMatchObject({
      kind: "turn",
      state: "resuming",
      attempts: 1,
    });
    const done = await talking.call("POST", `/api/claims/${turn.claim_id}/complete`, {
      result: { say: "Two it is" },
    });
    expect(done).toMatchObject({ status: 200, body: { state: "resumed" } });
    await untilHeard(1001, ["Two it is"]);
    expect((await talking.call("GET", `${run}/events`)).body).toMatchObject({
      items: [{ type: "turn_received", channel: "telegram" }, { type: "claimed" }, { type: "resumed" }],
    });
  });

  it("is said nothing to where the mapping gives nothing", async () => {
    await say(1001, "/order nothing");
    const silent = await claimed("orders");
    await talking.call("POST", `/api/claims/${silent.claim_id}/complete`, { result: { other: 1 } });
    await say(1001, "/order something");
    const next = await claimed("orders");
    expect(next.turn.run_id).toBe(silent.turn.run_id);
    await talking.call("POST", `/api/claims/${next.claim_id}/complete`, { result: { say: "here" } });
    await untilHeard(1001, ["here"]);
  });

  it("comes to nothing without a route, and is counted", async () => {
    await say(1002, "whatever");
    await eventually(async () => {
      const headers = { authorization: `Bearer ${interlude.apiKey}` };
      const metrics = await (await fetch(`${interlude.url}/metrics`, { headers })).text();
      expect(metrics).toContain('interlude_channel_ignored_total{channel="telegram",reason="no_route"} 1');
    });
    expect(await claim("chat", 0)).toBeUndefined();
  });

  it("waits for a driver that nobody has registered yet", async () => {
    await say(1009, "is anybody there?");
    await say(1009, "well?");
    await eventually(async () => {
      const { body } = await talking.call("GET", "/api/runs?driver=unborn");
      expect(body).toMatchObject({ items: [{ owner: "" }, { owner: "" }] });
    });
    const texts: string[] = [];
    await driver("unborn", { turn: ({ turn }) => `heard ${texts.push(turn.text)}` });
    await untilHeard(1009, ["heard 1", "heard 2"]);
    expect(texts).toEqual(["is anybody there?", "well?"]);
    const { body } = await talking.call("GET", "/api/runs?driver=unborn");
    expect(body).toMatchObject({ items: [{ owner: "dev", state: "resumed" }] });
  });

  it("is answered one at a time, in its order, also where an answer has to be tried again", async () => {
    for (let nth = 1; nth <= 4; nth++) await say(1003, `hello ${nth}`);
    const first = await claimed("chat");
    expect(first.turn.text).toBe("hello 1");
    // Nothing else of that conversation meanwhile.
    expect(await claim("chat", 0)).toBeUndefined();
    await talking.call("POST", `/api/claims/${first.claim_id}/fail`, { reason: "not yet", retry: true });
    expect(await claim("chat", 0)).toBeUndefined();
    const seen: string[] = [];
    await driver("chat", { turn: ({ turn }) => `re ${seen.push(turn.text)}` });
    await untilHeard(1003, ["re 1", "re 2", "re 3", "re 4"]);
    expect(seen).toEqual(["hello 1", "hello 2", "hello 3", "hello 4"]);
  });

  it("that no attempt could answer has failed, holds nothing back, and can be replayed", async () => {
    await say(1004, "hello");
    await say(1004, "again");
    const broken = await claimed("chat");
    await talking.call("POST", `/api/claims/${broken.claim_id}/fail`, { reason: "broken", retry: false });
    const next = await claimed("chat");
    expect(next.turn.text).toBe("again");
    await talking.call("POST", `/api/claims/${next.claim_id}/complete`, { result: "second" });
    await untilHeard(1004, ["second"]);
    const replayed = await talking.call("POST", `/api/runs/chat/${next.turn.run_id}/replay`);
    expect(replayed).toMatchObject({ status: 200, body: { kind: "turn", state: "resuming" } });
    const once = await claimed("chat");
    expect(once.turn.text).toBe("hello");
    await talking.call("POST", `/api/claims/${once.claim_id}/complete`, { result: "first after all" });
    await untilHeard(1004, ["second", "first after all"]);
  });
});

describe("a run that a person has started", () => {
  it("asks in the chat, waits, and says there what it came to, once; what is said next goes to the same run", async () => {
    const turns: Turn[] = [];
    await driver("chat", {
      async turn({ turn }, run) {
        turns.push(turn);
        if (turns.length > 1) return `we were at ${turns.length}`;
        const { channel, thread: recipient } = turn;
        await run.askUser({
          ...{ question: "How many?", mode: "async", expiryAt: soon(), channel, recipient },
          ...{ answerFormat: "select", options: ["one", "two"] },
        });
        return "dropped";
      },
      resume: ({ resolutions }) => `so ${JSON.stringify(resolutions[0]?.answer)}`,
    });
    await say(1005, "hello");
    await eventually(() => {
      expect(heard(1005)).toEqual([expect.stringContaining("How many?")]);
    });
    await say(1005, "two");
    await untilHeard(1005, [expect.stringContaining("How many?"), 'so "two"'] as string[]);
    await say(1005, "again");
    await untilHeard(1005, [expect.stringContaining("How many?"), 'so "two"', "we were at 2"] as string[]);
    expect(turns.map(({ runId }) => runId)).toEqual([turns[0]?.runId, turns[0]?.runId]);
  });
});

describe("a turn that says it has parked, and has not", () => {
  it("keeps its claim, and what it then completes with is said", async () => {
    await say(1010, "hello there");
    const turn = await claimed("chat");
    const complete = (body: object) => talking.call("POST", `/api/claims/${turn.claim_id}/complete`, body);
    expect(await complete({ parked: true })).toMatchObject({
      ...{ status: 400, body: { code: "validation_failed", errors: [{ path: "/parked" }] } },
    });
    expect((await complete({ result: "hello back" })).status).toBe(200);
    await untilHeard(1010, ["hello back"]);
  });

  it("is not believed for what an earlier turn of the conversation has parked on", async () => {
    await say(1011, "hello one");
    await say(1011, "hello two");
    const runOf = ({ turn }: Claimed) => `/api/runs/chat/${turn.run_id}`;
    const complete = ({ claim_id }: Claimed, body: object) =>
      talking.call("POST", `/api/claims/${claim_id}/complete`, body);
    const question = { question: "Which?", mode: "async", expiry_at: soon().toISOString() };
    const first = await claimed("chat");
    const run = { driver: "chat", run_id: first.turn.run_id };
    await talking.ask({ ...question, id: "of-the-first", channel: "telegram", recipient: "1011", run });
    const set = { interaction_ids: ["of-the-first"] };
    expect((await talking.call("POST", `${runOf(first)}/park`, set)).status).toBe(201);
    expect((await complete(first, { parked: true })).status).toBe(200);
    const second = await claimed("chat");
    expect(second.turn.text).toBe("hello two");
    // It is open, and came after this turn was received, and yet is not of it.
    expect(await complete(second, { parked: true })).toMatchObject({
      ...{ status: 400, body: { code: "validation_failed", errors: [{ path: "/parked" }] } },
    });
    // Parked on under this claim, it is, though nothing new is stored of it.
    const again = await fetch(`${interlude.url}${runOf(second)}/park`, {
      method: "POST",
      headers: { authorization: `Bearer ${second.token}`, "content-type": "application/json" },
      body: JSON.stringify(set),
    });
    expect(again.status).toBe(201);
    for (let nth = 1; nth <= 2; nth++) expect((await complete(second, { parked: true })).status).toBe(200);
  });
});

describe("a reply that is no answer", () => {
  it("goes to the conversation without a notice where the question says so, which stays open", async () => {
    await talking.ask({
      ...{ id: "bridged-question", question: "Which?", channel: "telegram", recipient: "1006" },
      ...{ answer_format: "select", options: ["Red", "Blue"], on_mismatch: "bridge" },
    });
    await say(1006, "how should I know?");
    const turn = await claimed("chat");
    expect(turn.turn.text).toBe("how should I know?");
    await talking.call("POST", `/api/claims/${turn.claim_id}/complete`, { result: "take a guess" });
    await untilHeard(1006, [expect.stringContaining("Which?"), "take a guess"] as string[]);
    await say(1006, "blue");
    await talking.untilItem("bridged-question", { status: "answered", answer: "Blue" });
  });

  it("because it came too late goes to the conversation", async () => {
    await talking.ask({ id: "late-question", question: "Still?", channel: "telegram", recipient: "1007" });
    const shown = telegram.person
      .see()
      .conversations.find(({ id }) => id === "1007")
      ?.messages.at(-1)?.id;
    await talking.call("POST", "/api/interactions/late-question/cancel", {});
    await say(1007, "late, I know", shown);
    const turn = await claimed("chat");
    expect(turn.turn).toMatchObject({ text: "late, I know", channel: "telegram", thread: "1007" });
    await talking.call("POST", `/api/claims/${turn.claim_id}/complete`, {});
  });
});
