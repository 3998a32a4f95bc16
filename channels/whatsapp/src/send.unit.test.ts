import type { ServerResponse } from "node:http";
import { withProvider } from "@interlude/channel-kit/testing";
import { describe, expect, it } from "vitest";
import { createWhatsAppChannel, readWhatsAppConfig } from "./index.ts";

const request = { method: "messages", body: { to: "5215500000001", type: "text", text: { body: "hi" } } };

async function sending(answer: (response: ServerResponse) => void, timeoutMs = 10_000) {
  return withProvider(answer, async ({ url, calls }) => {
    const setup = readWhatsAppConfig({
      WHATSAPP_ACCESS_TOKEN: "t0ps3cret",
      WHATSAPP_APP_SECRET: "app-secret",
      WHATSAPP_PHONE_NUMBER_ID: "9",
      WHATSAPP_VERIFY_TOKEN: "verify-me",
      WHATSAPP_API_URL: `${url}/v23.0`,
    });
    if (setup.state !== "set") return expect.fail(setup.state);
    const channel = createWhatsAppChannel(setup.config, { timeoutMs });
    const outcome = await channel.send(request, new AbortController().signal);
    expect(JSON.stringify(outcome)).not.toContain("t0ps3cret");
    expect(calls).toHaveLength(1);
    return { outcome, call: calls[0] };
  });
}

const json =
  (status: number, body: object, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(JSON.stringify(body));
const error = (code: number, status = 400, headers = {}) =>
  json(status, { error: { code, message: "no, t0ps3cret", error_data: { details: "why" } } }, headers);

describe("sending by the Cloud API", () => {
  it("is one POST of the message to the number's door", async () => {
    const { outcome, call } = await sending(
      json(200, {
        contacts: [{ input: "5215500000001", wa_id: "5215500000001" }],
        messages: [{ id: "wamid.9" }],
      }),
    );
    expect(outcome).toEqual({ kind: "sent", messageId: "wamid.9", address: "525500000001" });
    expect(call?.url).toBe("/v23.0/9/messages");
    expect(call?.headers).toMatchObject({
      authorization: "Bearer t0ps3cret",
      "content-type": "application/json",
    });
    expect(JSON.parse(call?.body ?? "")).toEqual(request.body);
  });

  it.each<[string, (response: ServerResponse) => void, object]>([
    ["too many at once", error(130_429), { kind: "rate_limited", scope: "channel", retryAfterMs: 1_000 }],
    [
      "too many, with a time",
      error(130_429, 429, { "retry-after": "9" }),
      { kind: "rate_limited", retryAfterMs: 9_000 },
    ],
    [
      "too many to one person",
      error(131_056),
      { kind: "rate_limited", scope: "conversation", retryAfterMs: 6_000 },
    ],
    [
      "too many of the account",
      error(80_007),
      { kind: "rate_limited", scope: "channel", retryAfterMs: 60_000 },
    ],
    ["429 of another code", error(100, 429), { kind: "rate_limited", scope: "channel" }],
    [
      "429 without a body",
      (response) => response.writeHead(429).end(),
      { kind: "rate_limited", scope: "channel" },
    ],
    ["a closed window", error(131_047), { kind: "rejected", code: "131047", needsOpener: true }],
    [
      "a bad token",
      error(190, 401),
      { kind: "rejected", code: "190", reason: "no, [secret]: why", refusesUs: true },
    ],
    ["a refusal without a code", json(404, {}), { kind: "rejected", reason: "http 404" }],
    ["a fault of Meta's with 400", error(131_000), { kind: "unknown", reason: "error 131000" }],
    ["500 with a code", error(190, 500), { kind: "unknown", reason: "http 500" }],
    ["503", json(503, {}), { kind: "unknown", reason: "http 503" }],
    [
      "a page with 200",
      (response) => response.end("<html>"),
      { kind: "unknown", reason: "http 200 without a message id" },
    ],
    ["an answer without an id", json(200, { messages: [] }), { kind: "unknown" }],
    ["a connection that goes", (response) => response.destroy(), { kind: "unknown" }],
  ])("has the outcome of %s", async (_, answer, expected) => {
    expect((await sending(answer)).outcome).toMatchObject(expected);
  });

  it("is unknown when no answer comes in time", async () => {
    expect((await sending(() => undefined, 1_500)).outcome).toEqual({ kind: "unknown", reason: "timeout" });
  });
});

describe("making a Flow", () => {
  const flow = {
    method: "flows",
    body: { name: "interlude_x", categories: ["OTHER"], flow_json: "{}", publish: true },
  };
  const making = (answer: (response: ServerResponse) => void, times = 1) =>
    withProvider(answer, async ({ url, calls }) => {
      const setup = readWhatsAppConfig({
        WHATSAPP_ACCESS_TOKEN: "t0ps3cret",
        WHATSAPP_APP_SECRET: "app-secret",
        WHATSAPP_PHONE_NUMBER_ID: "9",
        WHATSAPP_VERIFY_TOKEN: "verify-me",
        WHATSAPP_WABA_ID: "77",
        WHATSAPP_API_URL: url,
      });
      if (setup.state !== "set") return expect.fail(setup.state);
      const channel = createWhatsAppChannel(setup.config);
      const outcomes = [];
      for (let time = 0; time < times; time++) {
        outcomes.push(await channel.send(flow, new AbortController().signal));
      }
      return { outcomes, calls };
    });

  it("is done once, at the account's door", async () => {
    const { outcomes, calls } = await making(json(200, { id: "F1", success: true }), 2);
    expect(outcomes).toEqual([
      { kind: "sent", messageId: "F1" },
      { kind: "sent", messageId: "F1" },
    ]);
    expect(calls.map(({ url }) => url)).toEqual(["/77/flows"]);
    expect(JSON.parse(calls[0]?.body ?? "")).toEqual(flow.body);
  });

  it.each<[string, (response: ServerResponse) => void, object]>([
    ["one that is there already", error(100), { kind: "sent", messageId: "interlude_x" }],
    [
      "one that Meta does not take",
      json(200, { id: "F1", success: false, validation_errors: [{}] }),
      { kind: "rejected" },
    ],
    ["one without the right to it", error(200, 403), { kind: "rejected", code: "200" }],
    ["one of which nothing is told", json(200, {}), { kind: "unknown" }],
    ["one too many", error(4), { kind: "rate_limited" }],
    ["one that Meta fails over", json(503, {}), { kind: "unknown" }],
  ])("has the outcome of %s", async (_, answer, expected) => {
    expect((await making(answer)).outcomes[0]).toMatchObject(expected);
  });
});
