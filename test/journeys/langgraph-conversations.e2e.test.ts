import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RedisCheckpointSaver } from "@interlude/checkpoint-redis";
import { type LanggraphDriver, langgraphDriver, type SettledRun } from "@interlude/langgraph";
import { type Client, connect } from "@interlude/sdk";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import {
  canHaveRedis,
  createDatabase,
  eventually,
  startRedisForTests,
  temporaryHome,
} from "@interlude/testing";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { orderGraph } from "../support/order-graph.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const PEOPLE = [4001, 4002];
const FIVE_DAYS_MS = 5 * 86_400_000;

const hasRedis = await canHaveRedis();

let telegram: TelegramFake;
let variables: Record<string, string>;
let first: Interlude;
let interlude: Interlude;
let client: Client | undefined;
let driver: LanggraphDriver | undefined;
let placed: string[];
let settled: SettledRun[];

beforeAll(async () => {
  const routesFile = join(temporaryHome("routes"), "routes.json");
  const routes = ["postgres", "redis"].map((kind, index) => ({
    channel: "telegram",
    match: { from: String(PEOPLE[index]) },
    target: { driver: `orders-${kind}` },
    reply: "result.say",
  }));
  writeFileSync(routesFile, JSON.stringify(routes));
  telegram = await startTelegramFake({
    chats: PEOPLE.map((id) => ({ id, type: "private", people: [{ id, name: `Person ${id}` }] })),
  });
  variables = {
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_WEBHOOK_SECRET: "hook-secret",
    TELEGRAM_API_URL: telegram.apiUrl,
    INTERLUDE_ROUTES_FILE: routesFile,
  };
  first = await startInterlude({ env: variables });
  await use(first);
});
afterEach(async () => {
  await stopWorker();
  vi.useRealTimers();
});
afterAll(async () => {
  if (interlude !== first) await interlude.stop();
  await first.stop();
  await telegram.stop();
});

/** The provider delivers there from now on. */
async function use(started: Interlude): Promise<void> {
  interlude = started;
  await fetch(`${telegram.apiUrl}/bot${telegram.token}/setWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ url: `${started.url}/api/channels/telegram/webhook`, secret_token: "hook-secret" },
    }),
  });
}

/** A worker with a graph of its own; it knows of earlier messages what the checkpointer has. */
async function startWorker(name: string, saver: BaseCheckpointSaver): Promise<void> {
  [placed, settled] = [[], []];
  client = connect({ url: interlude.url, apiKey: interlude.keys.asker });
  driver = await langgraphDriver(client, {
    ...{ name, graph: orderGraph(saver, (size) => placed.push(size)) },
    // A message while it waits for an answer is no input: it goes on waiting.
    turn: ({ text, thread }, { isWaiting }) => (isWaiting ? undefined : { chat: thread, said: [text] }),
    result: (values) => {
      const { said, size } = values as { said: string[]; size: string };
      return { say: `${size} it is, after ${said.length}: ${said.join(", ")}` };
    },
    onSettled: (run) => {
      settled.push(run);
    },
  });
}

async function stopWorker(): Promise<void> {
  await driver?.stop();
  await client?.close();
  [driver, client] = [undefined, undefined];
}

/** Everything that runs ends, and is started again when five days have passed for it. */
async function fiveDaysLater(): Promise<void> {
  await stopWorker();
  await (interlude === first ? first.detach() : interlude.stop());
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + FIVE_DAYS_MS, shouldAdvanceTime: true });
  await use(await startInterlude({ beside: first, env: variables }));
}

const say = (who: number, text: string) => telegram.person.type({ conversation: String(who), text });

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
    { withinMs: 20_000 },
  );
}

async function untilSettled(...statuses: readonly string[]): Promise<void> {
  await eventually(
    () => {
      expect(settled.map(({ status }) => status)).toEqual(statuses);
    },
    { withinMs: 20_000 },
  );
}

/** One conversation, over all that becomes of those who take part in it. */
async function conversation(name: string, who: number, open: () => Promise<BaseCheckpointSaver>) {
  const question = expect.stringContaining("Which size?") as unknown as string;
  await startWorker(name, await open());
  await say(who, "an order, please");
  await untilHeard(who, [question]);
  await untilSettled("suspended");
  // No answer: it comes to the graph, which waits as before.
  await say(who, "what sizes are there?");
  await untilSettled("suspended", "suspended");
  const [threadId] = new Set(settled.map((run) => run.threadId));
  expect(placed).toEqual([]);

  await fiveDaysLater();
  await startWorker(name, await open());
  await say(who, "large");
  await untilHeard(who, [question, "Large it is, after 1: an order, please"]);
  expect(placed).toEqual(["Large"]);
  await eventually(async () => {
    expect(await client?.getRun(name, threadId ?? "")).toMatchObject({ state: "resumed" });
  });

  // What is said next goes to the same thread, which knows what was said before.
  await say(who, "one more");
  await untilHeard(who, [question, "Large it is, after 1: an order, please", question]);
  await say(who, "small");
  const last = "Small it is, after 2: an order, please, one more";
  await untilHeard(who, [question, "Large it is, after 1: an order, please", question, last]);
  expect(placed).toEqual(["Large", "Small"]);
  expect(new Set(settled.map((run) => run.threadId))).toEqual(new Set([threadId]));
}

describe("a graph that answers a chat", { timeout: 90_000 }, () => {
  it("asks there, is parked, and goes on once with the answer of days later, in other processes", async () => {
    const checkpoints = await createDatabase(inject("postgresUrl"));
    const savers: PostgresSaver[] = [];
    try {
      await conversation("orders-postgres", PEOPLE[0] ?? 0, async () => {
        const saver = PostgresSaver.fromConnString(checkpoints.url);
        savers.push(saver);
        await saver.setup();
        return saver;
      });
    } finally {
      await stopWorker();
      for (const saver of savers) await saver.end();
      await checkpoints.drop();
    }
  });

  it.skipIf(!hasRedis)("does so on plain Redis [needs a Redis server]", async () => {
    const server = await startRedisForTests();
    const savers: RedisCheckpointSaver[] = [];
    try {
      await conversation("orders-redis", PEOPLE[1] ?? 0, async () => {
        const saver = await RedisCheckpointSaver.fromUrl(server.url, { keyPrefix: "orders" });
        savers.push(saver);
        return saver;
      });
    } finally {
      await stopWorker();
      for (const saver of savers) await saver.end();
      await server.stop();
    }
  });
});
