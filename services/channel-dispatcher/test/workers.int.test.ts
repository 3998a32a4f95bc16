import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createTelegramChannel } from "@interlude/channel-telegram";
import { deliveryState } from "@interlude/domain";
import { createLeaseStore } from "@interlude/event-log";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askedOf, openDispatchers } from "./dispatcher-under-test.ts";

const PEOPLE = Array.from({ length: 12 }, (_, index) => 3_000 + index);
const SCRIPT = new URL("worker-alone.ts", import.meta.url).pathname;

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
  for (const child of children) child.kill("SIGKILL");
  await test.close();
  await telegram.stop();
});
beforeEach(() => {
  telegram.forgetRequests();
});

async function child(): Promise<ChildProcess & { said: () => string }> {
  const started = spawn(process.execPath, ["--import", "tsx", SCRIPT], {
    env: { ...process.env, NATS_URL: test.server.url, TOKEN: telegram.token, API_URL: telegram.apiUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(started);
  let text = "";
  started.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  await eventually(() => text.includes("ready"), { withinMs: 20_000 });
  return Object.assign(started, { said: () => text });
}

/** How many partitions each worker holds, by the log. */
async function shares(): Promise<number[]> {
  const leases = await createLeaseStore(test.log).list("telegram.partition");
  const counts = new Map<string, number>();
  for (const { holder } of leases) if (holder !== "") counts.set(holder, (counts.get(holder) ?? 0) + 1);
  return [...counts.values()].sort((one, other) => one - other);
}

async function untilShares(expected: readonly number[], withinMs = 25_000): Promise<void> {
  await eventually(
    async () => {
      expect(await shares()).toEqual(expected);
    },
    { withinMs },
  );
}

/** Questions for everybody, several each, and their ids in the order of asking. */
async function askAll(name: string, each: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= each; number++) {
    for (const person of PEOPLE) {
      const id = `${name}-${person}-${number}`;
      await test.ask(askedOf(id, { channel: "telegram", recipient: String(person) }));
      ids.push(id);
    }
  }
  return ids;
}

async function untilSent(ids: readonly string[], withinMs: number): Promise<void> {
  await eventually(
    async () => {
      const states = await Promise.all(
        ids.map(async (id) => deliveryState((await test.stateOf(id)).delivery)),
      );
      expect(states.filter((state) => state !== "sent")).toEqual([]);
    },
    { withinMs, everyMs: 200 },
  );
}

/** The numbers of a person's questions as the provider got them. */
function gotten(name: string, person: number): number[] {
  return telegram.requests.flatMap((request) => {
    const number = new RegExp(`${name}-${person}-(\\d+)`).exec(JSON.stringify(request))?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

describe("workers of a channel", { timeout: 90_000 }, () => {
  it("share the partitions, and one that stops leaves its part to the others within 10 seconds", async () => {
    const first = await child();
    await untilShares([16]);
    const second = await child();
    await untilShares([8, 8]);
    const ids = await askAll("shared", 3);
    await untilSent(ids, 15_000);
    for (const person of PEOPLE) expect(gotten("shared", person)).toEqual([1, 2, 3]);
    const exited = once(second, "exit");
    second.kill("SIGTERM");
    expect((await exited)[0]).toBe(0);
    expect(Number(/stopped in (\d+)/.exec(second.said())?.[1])).toBeLessThan(10_000);
    await untilShares([16]);
    first.kill("SIGKILL");
    await once(first, "exit");
  });

  it("killed between two sends lose no question, double none, and keep the order of each person", async () => {
    await untilShares([]);
    const [victim] = [await child(), await child()];
    await untilShares([8, 8]);
    telegram.fault({ kind: "delay", ms: 60, times: 1_000, operation: "sendMessage" });
    const asking = askAll("killed", 6);
    await eventually(() => telegram.requests.length > 15, { withinMs: 10_000 });
    victim.kill("SIGKILL");
    const ids = await asking;
    await untilSent(ids, 60_000);
    telegram.clearFaults();
    let doubled = 0;
    for (const person of PEOPLE) {
      const numbers = gotten("killed", person);
      doubled += numbers.length - new Set(numbers).size;
      expect([...new Set(numbers)]).toEqual([1, 2, 3, 4, 5, 6]);
    }
    // What was under way when it was killed may have been taken without our hearing of it: sent once more at most.
    expect(doubled).toBeLessThanOrEqual(8);
  });

  it("are slowed by no other channel's provider", async () => {
    const stalled = createTelegramChannel({
      botToken: telegram.token,
      webhookSecret: "secret",
      apiUrl: telegram.apiUrl,
      recipients: { default: undefined, allowed: undefined },
    });
    const sent: number[] = [];
    let stalls = 0;
    await test.worker([
      {
        ...stalled,
        name: "slow",
        send: (_request, signal) => {
          stalls++;
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              resolve({ kind: "unknown", reason: "aborted" });
            });
          });
        },
      },
      {
        ...stalled,
        name: "sms",
        send: () => {
          sent.push(performance.now());
          return Promise.resolve({ kind: "sent", messageId: "1" });
        },
      },
    ]);
    for (const person of PEOPLE) {
      await test.ask(askedOf(`stall-${person}`, { channel: "slow", recipient: String(person) }));
    }
    await eventually(() => stalls >= 8, { withinMs: 15_000 });
    for (const person of PEOPLE) {
      const askedMs = performance.now();
      await test.ask(askedOf(`quick-${person}`, { channel: "sms", recipient: String(person) }));
      const before = sent.length;
      await eventually(() => sent.length > before || sent.some((at) => at > askedMs), { withinMs: 2_000 });
    }
  });
});
