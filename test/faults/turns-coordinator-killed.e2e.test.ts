import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { logBounds, openLog, readRunsForward, type RunForwardEntry, STREAMS } from "@interlude/event-log";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { send } from "../support/send.ts";
import { type Apart, startApart } from "../support/start-apart.ts";

const PEOPLE = [3001, 3002, 3003, 3004, 3005, 3006];
const MESSAGES_EACH = 8;
const TURNS = PEOPLE.length * MESSAGES_EACH;
/** After how many completions it is killed: while turns come in, are claimed and are completed. */
const KILLS_AFTER = [1, 8, 16, 24, 32];
const DRIVERS = ["chat", "orders"] as const;
const LEASE_SECONDS = 3;

let telegram: TelegramFake;
let apart: Apart;

beforeAll(async () => {
  const routesFile = join(temporaryHome("routes"), "routes.json");
  const routes = [
    { channel: "telegram", match: { text_prefix: "/order" }, target: { driver: "orders" } },
    { channel: "telegram", target: { driver: "chat" } },
  ];
  writeFileSync(routesFile, JSON.stringify(routes));
  telegram = await startTelegramFake({
    chats: PEOPLE.map((id) => ({ id, type: "private", people: [{ id, name: `Person ${id}` }] })),
  });
  apart = await startApart({
    services: ["resume-coordinator", "channel-dispatcher"],
    each: 1,
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_WEBHOOK_SECRET: "hook-secret",
      TELEGRAM_API_URL: telegram.apiUrl,
      INTERLUDE_ROUTES_FILE: routesFile,
      INTERLUDE_RESUME_LEASE_SECONDS: String(LEASE_SECONDS),
      INTERLUDE_RESUME_ATTEMPTS: "20",
    },
  });
  await fetch(`${telegram.apiUrl}/bot${telegram.token}/setWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ url: `${apart.url}/api/channels/telegram/webhook`, secret_token: "hook-secret" },
    }),
  });
  for (const name of DRIVERS) {
    const registered = await post("/api/drivers", { name, checkpointer: { kind: "postgres" } });
    expect(registered?.status).toBe(201);
  }
}, 120_000);
afterAll(async () => {
  await apart.stop();
  await telegram.stop();
}, 60_000);

/** `undefined`: nobody was there, or the answer was broken off. */
async function post(path: string, json: object) {
  const reply = await send(`${apart.url}${path}`, { method: "POST", key: apart.keys.asker, json }).catch(
    () => undefined,
  );
  return reply === undefined || reply.status === 502 ? undefined : reply;
}

type Done = { driver: string; turnId: string; text: string; claimId: string; fencing: number };

/** Claims and completes until told to end, as a worker does whose coordinator comes and goes. */
async function work(driver: string, over: AbortSignal, done: Done[]): Promise<void> {
  while (!over.aborted) {
    const reply = await post(`/api/drivers/${driver}/claims?wait=1`, {});
    if (reply?.status === 200) await answer(driver, reply.json, over, done);
    else if (reply?.status !== 204) await delay(50);
  }
}

async function answer(driver: string, claim: Record<string, unknown>, over: AbortSignal, done: Done[]) {
  const turn = claim["turn"] as { turn_id: string; text: string };
  const claimId = String(claim["claim_id"]);
  while (!over.aborted) {
    const ended = await post(`/api/claims/${claimId}/complete`, { result: `re ${turn.text}` });
    // Lost in between: the turn is another claim's, or was given up.
    if (ended?.status === 409) return;
    if (ended?.status === 200) {
      const { turn_id: turnId, text } = turn;
      done.push({ driver, turnId, text, claimId, fencing: Number(claim["fencing"]) });
      return;
    }
    await delay(50);
  }
}

async function storedOfRuns(): Promise<(RunForwardEntry & { address: object })[]> {
  const log = await openLog({ url: apart.natsUrl, service: "witness" });
  const over = new AbortController();
  const entries: (RunForwardEntry & { address: object })[] = [];
  try {
    const { lastSequence } = await logBounds(log, STREAMS.runs);
    const onUnreadable = (error: unknown) => {
      throw error;
    };
    for await (const each of readRunsForward(log, { fromSequence: 1, signal: over.signal, onUnreadable })) {
      if (each.address !== undefined) entries.push(each);
      if (each.sequence >= lastSequence) break;
    }
  } finally {
    over.abort();
    await log.close();
  }
  return entries;
}

const heard = (who: number) =>
  telegram.requests
    .filter(
      ({ operation, fields }) => operation === "sendMessage" && String(fields["chat_id"]) === String(who),
    )
    .map(({ fields }) => String(fields["text"]));

const wordsOf = (nth: number) => (nth % 3 === 0 ? `/order ${nth}` : `word ${nth}`);

it(
  `${TURNS} turns are answered once each and in order, with the coordinator killed while they come in and are claimed`,
  { timeout: 180_000 },
  async () => {
    const over = new AbortController();
    const done: Done[] = [];
    const workers = DRIVERS.flatMap((driver) =>
      Array.from({ length: 3 }, () => work(driver, over.signal, done)),
    );
    const saying = Promise.all(
      PEOPLE.map(async (who) => {
        for (let nth = 1; nth <= MESSAGES_EACH; nth++) {
          await telegram.person.type({ conversation: String(who), text: wordsOf(nth) });
          // They go on talking while it is killed.
          await eventually(() => done.length >= nth - 2, { withinMs: 60_000 });
        }
      }),
    );
    try {
      for (const count of KILLS_AFTER) {
        await eventually(() => done.length >= count, { withinMs: 60_000 });
        await apart.killAndStart("resume-coordinator");
      }
      await saying;
      await eventually(() => new Set(done.map(({ turnId }) => turnId)).size === TURNS, { withinMs: 60_000 });
      await eventually(
        () => {
          for (const who of PEOPLE) expect(heard(who)).toHaveLength(MESSAGES_EACH);
        },
        { withinMs: 30_000 },
      );
    } finally {
      over.abort();
      await Promise.all(workers);
    }
    const all = Array.from({ length: MESSAGES_EACH }, (_, index) => wordsOf(index + 1));
    for (const who of PEOPLE) {
      expect(heard(who).toSorted()).toEqual(all.map((text) => `re ${text}`).toSorted());
    }

    expect(done).toHaveLength(TURNS);
    const stored = await storedOfRuns();
    const of = (type: string) => stored.filter(({ entry }) => "type" in entry && entry.type === type);
    const turnIds = of("turn_received").map(({ address }) => JSON.stringify(address));
    expect(turnIds).toHaveLength(TURNS);
    expect(
      of("resumed")
        .map(({ address }) => JSON.stringify(address))
        .toSorted(),
    ).toEqual(turnIds.toSorted());
    expect(of("failed")).toEqual([]);
    expect(faultsOfOrder(stored)).toEqual([]);
  },
);

/** Turns of a driver in a conversation end in the order in which they came, and each by the conversation's last claim. */
function faultsOfOrder(stored: readonly RunForwardEntry[]): string[] {
  const faults: string[] = [];
  const waiting = new Map<string, string[]>();
  const claimed = new Map<string, number>();
  const attempts = new Map<string, number>();
  for (const { address, entry, sequence } of stored) {
    if (address === undefined || !("data" in entry)) continue;
    const { driver, runToken, parkToken } = address;
    const line = `${driver}.${runToken}`;
    if (entry.type === "turn_received") waiting.set(line, [...(waiting.get(line) ?? []), parkToken]);
    if (entry.type === "claimed") {
      if (entry.data.attempt !== (attempts.get(parkToken) ?? 0) + 1) faults.push(`attempts of ${parkToken}`);
      attempts.set(parkToken, entry.data.attempt);
      claimed.set(runToken, sequence);
    }
    if (entry.type === "resumed") {
      if (waiting.get(line)?.shift() !== parkToken) faults.push(`${parkToken} is out of its turn`);
      if (claimed.get(runToken) !== entry.data.fencing)
        faults.push(`${parkToken} ended under an older claim`);
    }
  }
  return faults;
}
