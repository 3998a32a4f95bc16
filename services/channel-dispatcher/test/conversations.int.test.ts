import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createTelegramChannel } from "@interlude/channel-telegram";
import { type RunEvent, TURN_LABEL, TurnContentSchema } from "@interlude/contract";
import {
  createConversationStore,
  createInboundStore,
  createRunStore,
  handleRunCommand,
  logBounds,
  readRunsForward,
  type ParkAddress,
  STREAMS,
} from "@interlude/event-log";
import { openSealedPayload } from "@interlude/secrets";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordUpdate } from "../src/inbound/record-update.ts";
import { placeOf } from "../src/conversations/logged-queue.ts";
import { openDispatchers } from "./dispatcher-under-test.ts";

const PEOPLE = Array.from({ length: 12 }, (_, index) => 6_000 + index);
const SCRIPT = new URL("worker-alone.ts", import.meta.url).pathname;
const ROUTES = [{ channel: "telegram", target: { driver: "chat" }, reply: "join(' ', ['re', result])" }];

let test: Awaited<ReturnType<typeof openDispatchers>>;
let telegram: TelegramFake;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  test = await openDispatchers();
  telegram = await startTelegramFake({
    chats: PEOPLE.map((id) => ({ id, type: "private", people: [{ id, name: `Person ${id}` }] })),
  });
});
afterAll(async () => {
  await test.close();
  await telegram.stop();
});
beforeEach(() => {
  telegram.forgetRequests();
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  telegram.clearFaults();
});

async function worker(): Promise<ChildProcess> {
  const started = spawn(process.execPath, ["--import", "tsx", SCRIPT], {
    env: {
      ...process.env,
      ...{ NATS_URL: test.server.url, TOKEN: telegram.token, API_URL: telegram.apiUrl },
      ...{ KEYS: test.keys, ROUTES: JSON.stringify(ROUTES) },
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(started);
  let text = "";
  started.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  await eventually(() => text.includes("ready"), { withinMs: 20_000 });
  return started;
}

/** What a person writes, as a door keeps it. */
function says(person: number, text: string, updateId: string): Promise<unknown> {
  const { log, keyring } = test;
  const channel = createTelegramChannel({
    ...{ botToken: telegram.token, webhookSecret: "secret", apiUrl: telegram.apiUrl },
    recipients: { default: undefined, allowed: undefined },
  });
  const kept = {
    ...{ inbound: createInboundStore(log), conversations: createConversationStore(log), keyring },
    ...{ clock: log.clock, onIgnored: () => undefined },
  };
  return recordUpdate(kept, channel, {
    ...{ kind: "message", updateId, address: String(person), from: String(person), text },
    ...{ messageId: updateId, isDirect: true },
  });
}

type Stored = { address: ParkAddress; event: RunEvent };

/** Everything that is stored of runs, in the log's order. */
async function runs(): Promise<Stored[]> {
  const { lastSequence } = await logBounds(test.log, STREAMS.runs);
  const stored: Stored[] = [];
  if (lastSequence === 0) return stored;
  const { signal } = new AbortController();
  const options = { fromSequence: 1, signal, onUnreadable: () => undefined };
  for await (const each of readRunsForward(test.log, options)) {
    if (each.address !== undefined) stored.push({ address: each.address, event: each.entry });
    if (each.sequence >= lastSequence) break;
  }
  return stored;
}

type Turn = { address: ParkAddress; thread: string; text: string };

/** Every turn, oldest first, with what was said. */
async function turns(): Promise<Turn[]> {
  return (await runs()).flatMap(({ address, event }) => {
    if (event.type !== "turn_received") return [];
    const { thread, sealed } = event.data.turn;
    const { text } = TurnContentSchema.parse(openSealedPayload(test.keyring, TURN_LABEL, sealed));
    return [{ address, thread, text }];
  });
}

/** Claims and completes as a driver's worker does. */
async function completes({ address, text: result }: Turn): Promise<void> {
  const store = createRunStore(test.log);
  const nowMs = () => test.log.clock.nowMs();
  const claimId = randomUUID();
  const claim = { type: "Claim", claimId, leaseMs: 60_000, maxAttempts: 3, owner: "ann" } as const;
  const claimed = await handleRunCommand(store, address, (now) => ({ ...claim, nowMs: now }), nowMs);
  expect(claimed.ok).toBe(true);
  await handleRunCommand(store, address, (now) => ({ type: "Complete", claimId, result, nowMs: now }), nowMs);
}

/** What the provider was given for a person, in its order. */
function said(person: number): string[] {
  return telegram.requests
    .filter(({ fields }) => String(fields["chat_id"]) === String(person))
    .map(({ fields }) => String(fields["text"]));
}

describe("what people say while a worker is killed", { timeout: 90_000 }, () => {
  it("is a turn each, once and in order, and is answered in order, with one repeat at most of what was on its way", async () => {
    const [victim] = [await worker(), await worker()];
    telegram.fault({ kind: "delay", ms: 60, times: 1_000, operation: "sendMessage" });
    const numbers = [1, 2, 3, 4, 5];
    const saying = (async () => {
      for (const number of numbers) {
        for (const person of PEOPLE) {
          const update = `${person}-${number}`;
          // A provider delivers twice, at the same time.
          await Promise.all([says(person, `say ${number}`, update), says(person, `say ${number}`, update)]);
        }
      }
    })();
    const completed = new Set<string>();
    const wanted = numbers.map((number) => `re say ${number}`);
    const exited = once(victim, "exit");
    await eventually(
      async () => {
        for (const turn of await turns()) {
          const { parkToken } = turn.address;
          if (!completed.has(parkToken)) await completes(turn);
          completed.add(parkToken);
        }
        if (telegram.requests.length > 12) victim.kill("SIGKILL");
        for (const person of PEOPLE) expect([...new Set(said(person))]).toEqual(wanted);
      },
      { withinMs: 60_000, everyMs: 100 },
    );
    await Promise.all([saying, exited]);
    for (const person of PEOPLE) {
      const { thread } = placeOf(test.keyring, "telegram", String(person));
      const texts = (await turns()).filter((turn) => turn.thread === thread).map(({ text }) => text);
      expect(texts).toEqual(numbers.map((number) => `say ${number}`));
    }
    const doubled = PEOPLE.reduce((sum, person) => sum + said(person).length - wanted.length, 0);
    expect(doubled).toBeLessThanOrEqual(8);
  });
});
