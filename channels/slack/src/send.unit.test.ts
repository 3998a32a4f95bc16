import type { ServerResponse } from "node:http";
import { withProvider } from "@interlude/channel-kit/testing";
import type { JsonObject } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { createSlackChannel, readSlackConfig } from "./index.ts";

const TOKEN = "xoxb-t0ps3cret";
const hello = {
  method: "chat.postMessage",
  body: { channel: "C01", text: "hi", blocks: [{ type: "divider" }], unfurl_links: false },
};

function channelAt(url: string, timeoutMs = 10_000) {
  const setup = readSlackConfig({
    SLACK_BOT_TOKEN: TOKEN,
    SLACK_SIGNING_SECRET: "s",
    SLACK_API_URL: `${url}/api`,
  });
  if (setup.state !== "set") return expect.fail(setup.state);
  return createSlackChannel(setup.config, { timeoutMs });
}

async function sending(
  answer: (response: ServerResponse) => void,
  request: { method: string; body: JsonObject } = hello,
  timeoutMs?: number,
) {
  return withProvider(answer, async ({ url, calls }) => {
    const outcome = await channelAt(url, timeoutMs).send(request, new AbortController().signal);
    expect(JSON.stringify(outcome)).not.toContain("t0ps3cret");
    expect(calls).toHaveLength(1);
    return { outcome, call: calls[0] };
  });
}

const json =
  (status: number, body: object, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const error = (code: string, rest = {}) => json(200, { ok: false, error: code, ...rest });

describe("sending by Slack's Web API", () => {
  it("is one call with the bot's token, and tells the conversation that it went to", async () => {
    const { outcome, call } = await sending(json(200, { ok: true, channel: "D07", ts: "1.5" }));
    expect(outcome).toEqual({ kind: "sent", messageId: "1.5", address: "D07" });
    expect(call?.url).toBe("/api/chat.postMessage");
    expect(call?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
      channel: "C01",
      text: "hi",
      blocks: '[{"type":"divider"}]',
      unfurl_links: "false",
    });
  });

  it.each<[string, string, object, object]>([
    ["an opened view", "views.open", { view: { id: "V1" } }, { messageId: "V1" }],
    ["a message for one person", "chat.postEphemeral", { message_ts: "2.5" }, { messageId: "2.5" }],
    ["a changed message", "chat.update", { ts: "1.5", channel: "D07" }, { messageId: "1.5", address: "D07" }],
  ])("has the id of %s", async (_, method, answer, expected) => {
    const { outcome } = await sending(json(200, { ok: true, ...answer }), { method, body: {} });
    expect(outcome).toEqual({ kind: "sent", ...expected });
  });

  it.each<[string, (response: ServerResponse) => void, object]>([
    [
      "429",
      json(429, { ok: false, error: "ratelimited" }, { "retry-after": "30" }),
      { kind: "rate_limited", retryAfterMs: 30_000, scope: "channel" },
    ],
    [
      "429 without a time",
      json(429, { ok: false, error: "ratelimited" }),
      { kind: "rate_limited", retryAfterMs: 1_000, scope: "channel" },
    ],
    ["a limit told with 200", error("ratelimited"), { kind: "rate_limited", scope: "channel" }],
    [
      "a refusal",
      error("channel_not_found"),
      { kind: "rejected", code: "channel_not_found", reason: "channel_not_found" },
    ],
    ["a token that was revoked", error("token_revoked"), { kind: "rejected", refusesUs: true }],
    [
      "wrong blocks",
      error("invalid_blocks", { response_metadata: { messages: [`[ERROR] no ${TOKEN}`] } }),
      { kind: "rejected", code: "invalid_blocks", reason: "invalid_blocks [ERROR] no [secret]" },
    ],
    [
      "a fault of Slack's with 200",
      error("internal_error"),
      { kind: "unknown", reason: "error internal_error" },
    ],
    [
      "a page with 200",
      (response) => response.end("<html>ok</html>"),
      { kind: "unknown", reason: "an answer that is no JSON" },
    ],
    [
      "an answer without an id",
      json(200, { ok: true }),
      { kind: "unknown", reason: "an answer without a message id" },
    ],
    ["503", (response) => response.writeHead(503).end("busy"), { kind: "unknown", reason: "http 503" }],
    ["404", (response) => response.writeHead(404).end("nothing"), { kind: "rejected", reason: "http 404" }],
    ["a redirect", (response) => response.writeHead(302, { location: "/x" }).end(), { kind: "rejected" }],
    ["a connection that goes", (response) => response.destroy(), { kind: "unknown" }],
  ])("has the outcome of %s", async (_, answer, expected) => {
    expect((await sending(answer)).outcome).toMatchObject(expected);
  });

  it("is unknown when no answer comes in time", async () => {
    expect((await sending(() => undefined, hello, 1_500)).outcome).toEqual({
      kind: "unknown",
      reason: "timeout",
    });
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
});
