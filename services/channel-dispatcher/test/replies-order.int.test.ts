import { randomUUID } from "node:crypto";
import type { Channel, SendOutcome } from "@interlude/channel-kit";
import { createTelegramChannel } from "@interlude/channel-telegram";
import {
  createRunStore,
  DURABLES,
  handleRunCommand,
  type ParkAddress,
  runResults,
  STREAMS,
} from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createConversations } from "../src/conversations/conversations.ts";
import { parseRoutes } from "../src/conversations/routes.ts";
import { followResults } from "../src/replies/follow-results.ts";
import { openDispatchers } from "./dispatcher-under-test.ts";

const ROUTES = [
  {
    channel: "telegram",
    match: { text_prefix: "/a" },
    target: { driver: "chat" },
    reply: "join('', ['a ', result])",
  },
  {
    channel: "telegram",
    match: { text_prefix: "/b" },
    target: { driver: "chat" },
    reply: "join('', ['b ', result])",
  },
  // What is followed by hand here, and by no worker.
  { channel: "sms", target: { driver: "by-hand" } },
];

const SETTINGS = { delivery_attempts: 3, delivery_backoff_seconds: 0.05 };

let test: Awaited<ReturnType<typeof openDispatchers>>;
let worker: { stop(): Promise<void> };
let workerChannels: Channel[];
/** What the provider was given, and how it answers each; taken, where nothing is said. */
const sent: { to: string; text: string }[] = [];
let answers: (to: string, text: string) => Promise<SendOutcome> | undefined = () => undefined;
beforeAll(async () => {
  test = await openDispatchers();
  const telegram = createTelegramChannel({
    ...{ botToken: "1:token", webhookSecret: "hook-secret", apiUrl: "http://127.0.0.1:9" },
    recipients: { default: undefined, allowed: undefined },
  });
  const send = (request: { body: Readonly<Record<string, unknown>> }): Promise<SendOutcome> => {
    const [to, text] = [String(request.body["chat_id"]), String(request.body["text"])];
    sent.push({ to, text });
    return answers(to, text) ?? Promise.resolve({ kind: "sent", messageId: String(sent.length) });
  };
  workerChannels = [{ ...telegram, send }];
  ({ service: worker } = await test.worker(workerChannels, SETTINGS, ROUTES.slice(0, 2)));
});
afterAll(() => test.close());

const said = (to: string) => sent.flatMap((each) => (each.to === to ? [each.text] : []));

/** A turn, completed with what is said last of it. */
async function talks(
  channel: string,
  address: string,
  text: string,
  heard: object[] = ROUTES,
): Promise<void> {
  const { log, keyring } = test;
  const routes = parseRoutes(heard);
  if (!routes.ok) throw new Error(routes.faults.join());
  const talk = createConversations({ log, routes: routes.routes, keyring, clock: log.clock });
  const update = randomUUID();
  const before = await lastOfRuns();
  await talk.enter(channel, { updateId: update, address, from: address, text });
  const { subject } = (await log.manager.streams.getMessage(STREAMS.runs, { seq: before + 1 })) ?? {
    subject: "",
  };
  const [, , driver = "", runToken = "", parkToken = ""] = subject.split(".");
  await completes({ driver, runToken, parkToken }, text.split(" ").at(-1) ?? "");
}

async function lastOfRuns(): Promise<number> {
  return (await test.log.manager.streams.info(STREAMS.runs)).state.last_seq;
}

async function completes(address: ParkAddress, result: string): Promise<void> {
  const store = createRunStore(test.log);
  const nowMs = () => test.log.clock.nowMs();
  const claimId = randomUUID();
  const claim = { type: "Claim", claimId, leaseMs: 60_000, maxAttempts: 3, owner: "ann" } as const;
  expect((await handleRunCommand(store, address, (now) => ({ ...claim, nowMs: now }), nowMs)).ok).toBe(true);
  await handleRunCommand(store, address, (now) => ({ type: "Complete", claimId, result, nowMs: now }), nowMs);
}

async function untilAllDealtWith(): Promise<void> {
  await eventually(
    async () => {
      const info = await test.log.manager.consumers.info(STREAMS.runs, DURABLES.conversationReplies);
      expect([info.num_ack_pending, info.num_pending]).toEqual([0, 0]);
    },
    { withinMs: 30_000 },
  );
}

it("each reply is by the route of what it answers, where two lead to one driver", async () => {
  await talks("telegram", "1", "/a one");
  await talks("telegram", "1", "/b two");
  await talks("telegram", "1", "/a three");
  await eventually(() => {
    expect(said("1")).toEqual(["a one", "b two", "a three"]);
  });
});

it("replies keep their order while the provider is away, and after", async () => {
  let isAway = 5;
  answers = (to) =>
    to === "2" && isAway-- > 0
      ? Promise.resolve({ kind: "not_sent", reason: "connection refused" })
      : undefined;
  for (const number of ["one", "two", "three"]) await talks("telegram", "2", `/a ${number}`);
  await eventually(() => {
    // Three attempts at the first, which is lost then; the second arrives by its third.
    expect(said("2")).toEqual(["a one", "a one", "a one", "a two", "a two", "a two", "a three"]);
  });
});

it("a provider that is slow in one conversation holds no other one up", async () => {
  let release: (outcome: SendOutcome) => void = () => undefined;
  const held = new Promise<SendOutcome>((resolve) => {
    release = resolve;
  });
  answers = (to, text) => (to === "3" && text === "a one" ? held : undefined);
  for (const number of ["one", "two"]) await talks("telegram", "3", `/a ${number}`);
  await eventually(() => said("3").length === 1);
  await talks("telegram", "4", "/b one");
  await eventually(() => said("4").length === 1);
  expect(said("3")).toEqual(["a one"]);
  release({ kind: "sent", messageId: "late" });
  await eventually(() => {
    expect(said("3")).toEqual(["a one", "a two"]);
  });
});

it("what a worker has no route for is left to one that has, and what comes behind it as well", async () => {
  const heard = [
    { channel: "telegram", match: { text_prefix: "/new" }, target: { driver: "new" }, reply: "result" },
    ...ROUTES.slice(0, 2),
  ];
  await talks("telegram", "5", "/new one", heard);
  await talks("telegram", "5", "/a two", heard);
  await talks("telegram", "6", "/a three");
  await eventually(() => {
    expect(said("6")).toEqual(["a three"]);
  });
  expect(said("5")).toEqual([]);
  const { service: newer } = await test.worker(workerChannels, SETTINGS, heard);
  await eventually(
    () => {
      expect(said("5")).toEqual(["one", "a two"]);
    },
    { withinMs: 30_000 },
  );
  await untilAllDealtWith();
  await newer.stop();
});

it("what is contended in one conversation holds no other one up, and is dealt with in order by whoever takes it", async () => {
  const handled: string[] = [];
  let isContended = true;
  // All that take from the durable have the same routes.
  await worker.stop();
  const follower = () =>
    followResults({
      ...{ log: test.log, drivers: new Set(["by-hand"]), onFailure: () => undefined },
      results: runResults(test.log),
      handle({ address, entry }) {
        const result =
          "type" in entry && entry.type === "resumed"
            ? JSON.stringify(entry.data.result).replaceAll('"', "")
            : "";
        if (isContended && result.startsWith("x")) {
          return Promise.reject(new ServiceFailure("append_contended", { retry: "later" }));
        }
        const place = `${address.runToken} ${result}`;
        if (!handled.includes(place)) handled.push(place);
        return Promise.resolve();
      },
    });
  const followers = [follower(), follower()];
  for (const number of [1, 2, 3, 4, 5, 6]) await talks("sms", "+1", `x${number}`);
  for (const number of [1, 2, 3]) await talks("sms", "+2", `y${number}`);
  const of = (letter: string) =>
    handled.flatMap((each) => each.split(" ")[1]?.match(`${letter}\\d`)?.[0] ?? []);
  await eventually(() => {
    expect(of("y")).toEqual(["y1", "y2", "y3"]);
  });
  expect(of("x")).toEqual([]);
  isContended = false;
  await eventually(() => {
    expect(of("x")).toEqual(["x1", "x2", "x3", "x4", "x5", "x6"]);
  });
  await untilAllDealtWith();
  await Promise.all(followers.map((each) => each.stop()));
});
