import {
  startTelegramFake,
  startTwilioFake,
  type TelegramFake,
  type TwilioFake,
} from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let telegram: TelegramFake;
let twilio: TwilioFake;
let interlude: Interlude;
beforeAll(async () => {
  telegram = await startTelegramFake();
  twilio = await startTwilioFake();
  interlude = await startInterlude({
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_WEBHOOK_SECRET: "hook-secret",
      TELEGRAM_API_URL: telegram.apiUrl,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: twilio.number,
      TWILIO_API_URL: twilio.apiUrl,
      SLACK_BOT_TOKEN: "xoxb-half",
    },
  });
});
afterAll(async () => {
  await interlude.stop();
  await telegram.stop();
  await twilio.stop();
});
beforeEach(() => {
  telegram.forgetRequests();
  twilio.forgetRequests();
});

async function call(method: string, path: string, body?: unknown, prefer?: string) {
  const response = await fetch(`${interlude.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${interlude.apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(prefer === undefined ? {} : { prefer }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, body: json };
}

const ASK = { question: "Shall we ship?", answer_format: "confirm", channel: "telegram", recipient: "1001" };

async function ask(body: object, prefer?: string) {
  const asked = await call("POST", "/api/interactions", body, prefer);
  const id = (asked.body as { interaction_id?: string }).interaction_id ?? "";
  return { ...asked, id };
}

async function untilItem(id: string, expected: object): Promise<void> {
  await eventually(
    async () => {
      expect((await call("GET", `/api/interactions/${id}`)).body).toMatchObject(expected);
    },
    { withinMs: 10_000 },
  );
}

describe("a question over a channel", () => {
  it("reaches the person, and the item tells that it was sent", async () => {
    const { status, id } = await ask(ASK);
    expect(status).toBe(201);
    await untilItem(id, { delivery: { state: "sent", attempts: 1 } });
    expect(telegram.requests.map(({ operation }) => operation)).toEqual(["sendMessage"]);
    expect(JSON.stringify(telegram.requests[0]?.fields)).toContain("Shall we ship?");
  });

  it("is updated in the chat when it is answered in the inbox", async () => {
    const { id } = await ask(ASK);
    await untilItem(id, { delivery: { state: "sent" } });
    const answered = await call("POST", `/api/interactions/${id}/answer`, { answer: true });
    expect(answered.status).toBe(200);
    await eventually(() => {
      expect(telegram.requests.map(({ operation }) => operation)).toEqual(["sendMessage", "editMessageText"]);
    });
    expect(JSON.stringify(telegram.requests[1]?.fields)).toContain("Answered: Yes");
  });

  it("ends as failed where the provider knows nobody of that name", async () => {
    const { id } = await ask({ ...ASK, recipient: "424242" });
    await untilItem(id, { status: "failed", delivery: { state: "failed", attempts: 1 } });
  });

  it("is told of with the response where that is preferred: sent", async () => {
    const { status, body } = await ask(ASK, "delivered");
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "pending", delivery: { state: "sent", attempts: 1 } });
  });

  it("is told of with the response where that is preferred: 502, and the question has ended", async () => {
    const { status, body } = await ask({ ...ASK, id: "nobody-there", recipient: "434343" }, "delivered");
    expect(status).toBe(502);
    expect(body).toMatchObject({ code: "delivery_failed" });
    await untilItem("nobody-there", { status: "failed" });
  });

  it("is held for its answer once it was sent, where both are preferred", async () => {
    const asking = ask({ ...ASK, id: "both-preferred" }, "delivered, wait=20");
    await untilItem("both-preferred", { delivery: { state: "sent" } });
    await call("POST", "/api/interactions/both-preferred/answer", { answer: false });
    expect(await asking).toMatchObject({ status: 200, body: { status: "answered", answer: false } });
  });

  it.each([
    ["a channel that is half set", { channel: "slack", recipient: "C1" }, "/channel"],
    ["a channel that is none", { channel: "pigeon", recipient: "x" }, "/channel"],
    ["a recipient of another kind", { recipient: "+1" }, "/recipient"],
    [
      "what the medium cannot show",
      { answer_format: "form", schema: { type: "object", properties: { a: { type: "array" } } } },
      "/schema/properties/a/type",
    ],
  ])("is refused for %s before anything is stored", async (_name, fields, path) => {
    const { status, body } = await ask({ ...ASK, ...fields });
    expect([status, body]).toMatchObject([400, { code: "validation_failed", errors: [{ path }] }]);
    expect(telegram.requests.filter(({ operation }) => operation === "sendMessage")).toEqual([]);
  });

  it("goes over SMS one at a time, each when the one before has ended", async () => {
    const sms = { ...ASK, channel: "sms", recipient: "+15550001001" };
    const first = await ask({ ...sms, question: "First?" });
    const second = await ask({ ...sms, question: "Second?" });
    await untilItem(first.id, { delivery: { state: "sent" } });
    expect(twilio.requests).toHaveLength(1);
    await call("POST", `/api/interactions/${first.id}/cancel`, {});
    await untilItem(second.id, { delivery: { state: "sent" } });
    expect(twilio.requests).toHaveLength(2);
  });
});

describe("a notification over a channel", () => {
  it("is taken with 202 and reaches the person", async () => {
    const told = { message: "It has shipped.", channel: "telegram", recipient: "1002" };
    expect((await call("POST", "/api/notifications", told)).status).toBe(202);
    await eventually(() => {
      expect(JSON.stringify(telegram.requests.at(-1)?.fields)).toContain("It has shipped.");
    });
  });

  it("is refused for a recipient of another kind", async () => {
    const told = { message: "It has shipped.", channel: "telegram", recipient: "+1" };
    expect((await call("POST", "/api/notifications", told)).status).toBe(400);
  });
});

describe("the channels", () => {
  it("are told of with what they can do, and one that is half set with what is missing", async () => {
    const { status, body } = await call("GET", "/api/channels");
    expect(status).toBe(200);
    expect(body).toEqual([
      { name: "slack", health: { status: "misconfigured", reason: "SLACK_SIGNING_SECRET not set" } },
      expect.objectContaining({ name: "sms", health: { status: "ok" } }),
      expect.objectContaining({
        name: "telegram",
        capabilities: expect.objectContaining({ form_delivery: "page", reply_context: true }) as unknown,
      }),
    ]);
  });

  it("are measured", async () => {
    const metrics = await fetch(`${interlude.url}/metrics`, {
      headers: { authorization: `Bearer ${interlude.apiKey}` },
    });
    expect(await metrics.text()).toContain(
      'interlude_channel_sends_total{channel="telegram",outcome="sent"}',
    );
  });
});
