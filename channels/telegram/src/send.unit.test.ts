import type { ServerResponse } from "node:http";
import { withProvider } from "@interlude/channel-kit/testing";
import type { JsonObject } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { createTelegramChannel, readTelegramConfig } from "./index.ts";

const TOKEN = "123456:t0ps3cret";
const hello = { method: "sendMessage", body: { chat_id: 42, text: "hi" } };

function channelAt(url: string, timeoutMs = 10_000) {
  const setup = readTelegramConfig({
    TELEGRAM_BOT_TOKEN: TOKEN,
    TELEGRAM_WEBHOOK_SECRET: "hook-secret",
    TELEGRAM_API_URL: `${url}/`,
  });
  if (setup.state !== "set") return expect.fail(setup.state);
  return createTelegramChannel(setup.config, { timeoutMs });
}

async function sending(
  answer: (response: ServerResponse) => void,
  request: { method: string; body: JsonObject } = hello,
  timeoutMs?: number,
) {
  return withProvider(answer, async ({ url, calls }) => {
    const outcome = await channelAt(url, timeoutMs).send(request, new AbortController().signal);
    expect(JSON.stringify(outcome)).not.toContain("t0ps3cret");
    return { outcome, calls };
  });
}

const json = (status: number, body: object) => (response: ServerResponse) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const error = (error_code: number, description: string, parameters = {}) =>
  json(error_code, { ok: false, error_code, description, parameters });

describe("sending by the Bot API", () => {
  it("is one POST of the message, and tells the chat that it went to", async () => {
    const { outcome, calls } = await sending(
      json(200, { ok: true, result: { message_id: 9, chat: { id: -7 } } }),
    );
    expect(outcome).toEqual({ kind: "sent", messageId: "9", address: "-7" });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.url).toBe(`/bot${TOKEN}/sendMessage`);
    expect(JSON.parse(calls[0]?.body ?? "")).toEqual(hello.body);
  });

  it.each<[string, (response: ServerResponse) => void, object]>([
    [
      "429",
      error(429, "Too Many Requests", { retry_after: 5 }),
      { kind: "rate_limited", retryAfterMs: 5_000, scope: "channel" },
    ],
    ["429 without a time", error(429, "Too Many Requests"), { kind: "rate_limited", retryAfterMs: 1_000 }],
    [
      "a person who blocked the bot",
      error(403, "Forbidden: bot was blocked by the user"),
      { kind: "rejected", code: "403", reason: "Forbidden: bot was blocked by the user" },
    ],
    [
      "a chat that is not there",
      error(400, "Bad Request: chat not found"),
      { kind: "rejected", code: "400" },
    ],
    [
      "a wrong token",
      error(401, `Unauthorized ${TOKEN}`),
      { kind: "rejected", code: "401", reason: "Unauthorized [secret]", refusesUs: true },
    ],
    ["another who polls", error(409, "Conflict"), { kind: "rejected", code: "409" }],
    ["500 in JSON", error(500, "Internal"), { kind: "unknown", reason: "http 500" }],
    [
      "502 as a page",
      (response) => response.writeHead(502).end("<html>"),
      { kind: "unknown", reason: "http 502" },
    ],
    [
      "a page with 200",
      (response) => response.end("<html>"),
      { kind: "unknown", reason: "an answer that is no JSON" },
    ],
    ["an answer without an id", json(200, { ok: true, result: {} }), { kind: "unknown" }],
    ["a redirect", (response) => response.writeHead(302, { location: "/x" }).end(), { kind: "rejected" }],
    ["a connection that goes", (response) => response.destroy(), { kind: "unknown" }],
  ])("has the outcome of %s", async (_, answer, expected) => {
    const { outcome, calls } = await sending(answer);
    expect(outcome).toMatchObject(expected);
    expect(calls).toHaveLength(1);
  });

  it("holds up one group only when that group is the limit", async () => {
    const request = { ...hello, body: { ...hello.body, chat_id: -100 } };
    const { outcome } = await sending(error(429, "Too Many Requests", { retry_after: 40 }), request);
    expect(outcome).toEqual({ kind: "rate_limited", retryAfterMs: 40_000, scope: "conversation" });
  });

  it("is unknown when no answer comes in time", async () => {
    const { outcome } = await sending(() => undefined, hello, 1_500);
    expect(outcome).toEqual({ kind: "unknown", reason: "timeout" });
  });

  it("was not sent when it was stopped before", async () => {
    const outcome = await withProvider(
      () => undefined,
      ({ url }) => channelAt(url).send(hello, AbortSignal.abort()),
    );
    expect(outcome).toEqual({ kind: "not_sent", reason: "stopped before it was sent" });
  });

  it("was not sent when nobody is there", async () => {
    const gone = await withProvider(
      () => undefined,
      ({ url }) => Promise.resolve(url),
    );
    const outcome = await channelAt(gone).send(hello, new AbortController().signal);
    expect(outcome).toEqual({ kind: "not_sent", reason: "not reached: ECONNREFUSED" });
  });

  it("follows a group that has become another chat", async () => {
    const moved = (response: ServerResponse): void => {
      const first = error(400, "group chat was upgraded to a supergroup chat", {
        migrate_to_chat_id: -1_001,
      });
      (sends++ === 0 ? first : json(200, { ok: true, result: { message_id: 3, chat: { id: -1_001 } } }))(
        response,
      );
    };
    let sends = 0;
    const { outcome, calls } = await sending(moved);
    expect(outcome).toEqual({ kind: "sent", messageId: "3", address: "-1001" });
    expect(calls.map(({ body }) => (JSON.parse(body) as { chat_id: number }).chat_id)).toEqual([42, -1_001]);
  });

  it.each([
    ["an edit that changes nothing", "editMessageText", "Bad Request: message is not modified", "17"],
    ["a tap that nobody waits for", "answerCallbackQuery", "Bad Request: query is too old", ""],
  ])("has done %s", async (_, method, description, messageId) => {
    const body = { ...(messageId === "" ? {} : { message_id: 17 }), text: "x" };
    const { outcome } = await sending(error(400, description), { method, body });
    expect(outcome).toEqual({ kind: "sent", messageId });
  });

  it("takes an answer of true for what makes no message", async () => {
    const request = { method: "editMessageReplyMarkup", body: { message_id: 17 } };
    expect((await sending(json(200, { ok: true, result: true }), request)).outcome).toEqual({
      kind: "sent",
      messageId: "17",
    });
  });
});

describe("starting with Telegram", () => {
  const starting = (answer: (response: ServerResponse) => void) =>
    withProvider(answer, async ({ url, calls }) => {
      const context = { publicBaseUrl: "https://ask.example", signal: new AbortController().signal };
      await channelAt(url).start?.(context);
      return calls;
    });

  it("says where to deliver what, and with which secret", async () => {
    const calls = await starting(json(200, { ok: true, result: true }));
    expect(calls[0]?.url).toBe(`/bot${TOKEN}/setWebhook`);
    expect(JSON.parse(calls[0]?.body ?? "")).toEqual({
      url: "https://ask.example/api/channels/telegram/webhook",
      secret_token: "hook-secret",
      allowed_updates: ["message", "callback_query"],
    });
  });

  it("fails for good when it is refused, and for now when nobody answers", async () => {
    await expect(starting(error(400, "bad webhook"))).rejects.toMatchObject({
      code: "configuration_invalid",
      retry: "never",
    });
    await expect(starting((response) => response.writeHead(503).end())).rejects.toMatchObject({
      retry: "later",
    });
  });
});
