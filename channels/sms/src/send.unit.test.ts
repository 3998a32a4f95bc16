import type { ServerResponse } from "node:http";
import { withProvider } from "@interlude/channel-kit/testing";
import { describe, expect, it } from "vitest";
import { createSmsChannel, readSmsConfig } from "./index.ts";

const request = {
  method: "Messages.json",
  body: { To: "+15550002222", Body: "hi", MediaUrl: ["https://a/1", "https://a/2"] },
};

async function sending(
  answer: (response: ServerResponse) => void,
  { timeoutMs = 10_000, publicBaseUrl }: { timeoutMs?: number; publicBaseUrl?: string | undefined } = {
    publicBaseUrl: "https://public.example",
  },
) {
  return withProvider(answer, async ({ url, calls }) => {
    const setup = readSmsConfig({
      TWILIO_ACCOUNT_SID: "AC0001",
      TWILIO_AUTH_TOKEN: "t0ps3cret",
      TWILIO_FROM: "+15550001111",
      TWILIO_API_URL: `${url}/`,
    });
    if (setup.state !== "set") return expect.fail(setup.state);
    const channel = createSmsChannel(setup.config, { publicBaseUrl, timeoutMs });
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

describe("sending by Twilio", () => {
  it("is one POST of the message to the account, with its status wanted back", async () => {
    const { outcome, call } = await sending(json(201, { sid: "SM1", status: "queued" }));
    expect(outcome).toEqual({ kind: "sent", messageId: "SM1" });
    expect(call?.url).toBe("/2010-04-01/Accounts/AC0001/Messages.json");
    expect(call?.headers.authorization).toBe(`Basic ${Buffer.from("AC0001:t0ps3cret").toString("base64")}`);
    expect([...new URLSearchParams(call?.body)]).toEqual([
      ["From", "+15550001111"],
      ["StatusCallback", "https://public.example/api/channels/sms/webhook"],
      ["To", "+15550002222"],
      ["Body", "hi"],
      ["MediaUrl", "https://a/1"],
      ["MediaUrl", "https://a/2"],
    ]);
  });

  it.each<[string, (response: ServerResponse) => void, object]>([
    [
      "429",
      json(429, { code: 20429 }, { "retry-after": "3" }),
      { kind: "rate_limited", retryAfterMs: 3_000, scope: "channel" },
    ],
    ["429 without a time", json(429, {}), { kind: "rate_limited", retryAfterMs: 1_000, scope: "channel" }],
    [
      "a full queue",
      json(400, { code: 21611, message: "queue" }),
      { kind: "rate_limited", retryAfterMs: 60_000, scope: "channel" },
    ],
    [
      "too many to one number",
      json(400, { code: 14107 }),
      { kind: "rate_limited", retryAfterMs: 60_000, scope: "conversation" },
    ],
    [
      "a wrong number",
      json(400, { code: 21211, message: "Invalid 'To' Phone Number" }),
      { kind: "rejected", code: "21211", reason: "Invalid 'To' Phone Number" },
    ],
    [
      "wrong credentials",
      json(401, { code: 20003, message: "bad t0ps3cret" }),
      { kind: "rejected", code: "20003", reason: "bad [secret]", refusesUs: true },
    ],
    [
      "a refusal without a body",
      (response) => response.writeHead(403).end(),
      { kind: "rejected", reason: "http 403" },
    ],
    [
      "a redirect",
      (response) => response.writeHead(302, { location: "/x" }).end(),
      { kind: "rejected", reason: "redirected with http 302" },
    ],
    ["503", json(503, {}), { kind: "unknown", reason: "http 503" }],
    [
      "a page with 200",
      (response) => response.end("<html>ok</html>"),
      { kind: "unknown", reason: "http 200 without a message id" },
    ],
    [
      "an answer without an id",
      json(201, { status: "queued" }),
      { kind: "unknown", reason: "http 201 without a message id" },
    ],
    ["a connection that goes", (response) => response.destroy(), { kind: "unknown" }],
  ])("has the outcome of %s", async (_, answer, expected) => {
    expect((await sending(answer)).outcome).toMatchObject(expected);
  });

  it("asks for no status where Twilio could tell it to nobody", async () => {
    const { outcome, call } = await sending(json(201, { sid: "SM1" }), {});
    expect(outcome).toEqual({ kind: "sent", messageId: "SM1" });
    expect(new URLSearchParams(call?.body).has("StatusCallback")).toBe(false);
  });

  it("is unknown when no answer comes in time", async () => {
    const { outcome } = await sending(() => undefined, { timeoutMs: 1_500 });
    expect(outcome).toEqual({ kind: "unknown", reason: "timeout" });
  });
});
