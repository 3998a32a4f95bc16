import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually, freePort, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Child, startChild } from "../support/child-process.ts";
import { type NatsWithUsers, startNatsWithUsers } from "../support/nats-with-users.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

/** So many that some are in every worker's partitions. */
const PEOPLE = Array.from({ length: 24 }, (_, index) => 5_000 + index);

let telegram: TelegramFake;
let nats: NatsWithUsers;
let interlude: Interlude;
let variables: Record<string, string>;
const children: Child[] = [];
beforeAll(async () => {
  telegram = await startTelegramFake({
    chats: PEOPLE.map((id) => ({ id, type: "private", people: [{ id, name: `Person ${id}` }] })),
  });
  nats = await startNatsWithUsers();
  variables = {
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_WEBHOOK_SECRET: "hook-secret",
    TELEGRAM_API_URL: telegram.apiUrl,
  };
  // It provisions what the channel needs, and then only its asker and gateway are of use to the test.
  interlude = await startInterlude({ nats: nats.asAdmin, env: variables });
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await interlude.stop();
  await telegram.stop();
});

async function dispatcher(args: readonly string[]): Promise<{ child: Child; url: string }> {
  const port = await freePort();
  const child = startChild(["service", "channel-dispatcher", ...args], {
    ...interlude.shared,
    ...variables,
    PORT: String(port),
    INTERLUDE_HOME: temporaryHome("dispatcher"),
    NATS_URL: nats.urlOf("channel-dispatcher"),
    DATABASE_URL: interlude.databaseUrl,
    INTERLUDE_API_KEYS_FILE: interlude.apiKeysFile,
    INTERACTIONS_PUBLIC_BASE_URL: interlude.url,
    INTERLUDE_LOG_LEVEL: "warn",
  });
  children.push(child);
  return { child, url: `http://127.0.0.1:${port}` };
}

it("a dispatcher of its own, with its own user of the log, shares a channel", async () => {
  const { child, url } = await dispatcher(["--channel", "telegram"]);
  await eventually(
    async () => {
      if (child.exitCode() !== null) throw new Error(child.output());
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    },
    { withinMs: 30_000, everyMs: 100 },
  );
  const sent = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${interlude.keys.operator}` };
    return (await fetch(`${url}/metrics`, { headers })).text();
  };
  const ask = async (recipient: number): Promise<number> => {
    const response = await fetch(`${interlude.url}/api/interactions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${interlude.apiKey}`,
        "content-type": "application/json",
        prefer: "delivered",
      },
      body: JSON.stringify({ question: "Shall we?", channel: "telegram", recipient: String(recipient) }),
    });
    return response.status;
  };
  await eventually(
    async () => {
      const statuses = await Promise.all(PEOPLE.map(ask));
      expect(statuses).toEqual(PEOPLE.map(() => 201));
      expect(await sent()).toContain('interlude_channel_sends_total{channel="telegram",outcome="sent"}');
    },
    { withinMs: 60_000, everyMs: 1_000 },
  );
  expect(child.output()).not.toMatch(/[Pp]ermission|MaxListeners/);
  expect(await child.interrupt()).toBe(0);
}, 90_000);

it("a dispatcher for a channel that is not configured does not start, and says so", async () => {
  const { child } = await dispatcher(["--channel", "sms"]);
  expect(await child.exited).toBe(1);
  expect(child.output()).toContain('channel "sms" is not configured');
});
