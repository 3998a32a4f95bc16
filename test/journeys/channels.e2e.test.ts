import {
  startTelegramFake,
  startTwilioFake,
  type TelegramFake,
  type TwilioFake,
} from "@interlude/test-fakes";
import { openLog, STREAMS } from "@interlude/event-log";
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
  twilio.deliverTo(`${interlude.url}/api/channels/sms/webhook`);
  const hook = { url: `${interlude.url}/api/channels/telegram/webhook`, secret_token: "hook-secret" };
  await fetch(`${telegram.apiUrl}/bot${telegram.token}/setWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(hook),
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
    expect(body).toMatchObject({ code: "delivery_failed", interaction_id: "nobody-there" });
    await untilItem("nobody-there", { status: "failed" });
  });

  it("is told of in the same way to every repeat, and is not sent again", async () => {
    const asked = { ...ASK, recipient: "454545" };
    const repeat = async (prefer?: string, more: object = {}) => {
      const response = await fetch(`${interlude.url}/api/interactions`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${interlude.apiKey}`,
          "content-type": "application/json",
          "idempotency-key": "to nobody",
          ...(prefer === undefined ? {} : { prefer }),
        },
        body: JSON.stringify({ ...asked, ...more }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const first = await repeat("delivered");
    expect(first).toMatchObject({ status: 502, body: { code: "delivery_failed" } });
    const sent = telegram.requests.length;
    expect(await repeat("delivered")).toEqual(first);
    expect(await repeat("delivered, wait=5")).toEqual(first);
    const { interaction_id } = first.body;
    expect(await repeat()).toMatchObject({ status: 200, body: { interaction_id, status: "failed" } });
    expect(await repeat("wait=5")).toMatchObject({ status: 200, body: { interaction_id, status: "failed" } });
    expect((await repeat("delivered", { question: "Another?" })).status).toBe(409);
    expect(telegram.requests).toHaveLength(sent);
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

describe("what the person does", () => {
  const [ADA, BO] = ["1001", "1002"];

  /** The id of the question's message, as the provider has it. */
  async function sentMessage(
    id: string,
    body: { recipient: string; [field: string]: unknown },
  ): Promise<string> {
    await ask({ ...ASK, id, ...body });
    let message = "";
    await eventually(async () => {
      const item = (await call("GET", `/api/interactions/${id}`)).body as { delivery?: { state: string } };
      expect(item.delivery?.state).toBe("sent");
      const { conversations } = telegram.person.see();
      const chat = conversations.find((each) => each.id === body.recipient);
      message = chat?.messages.at(-1)?.id ?? "";
      expect(message).not.toBe("");
    });
    return message;
  }

  it("a tap on Yes is the answer, and who tapped is who answered", async () => {
    const message = await sentMessage("tap-question", { recipient: ADA });
    await telegram.person.tap({ conversation: ADA, message, control: "Yes" });
    await untilItem("tap-question", {
      ...{ status: "answered", answer: true, answered_by: `channel:telegram:${ADA}` },
    });
  });

  it("a typed reply answers the only live question; what does not fit is told what would", async () => {
    const choice = { question: "Which?", answer_format: "select", options: ["Red", "Blue"] };
    await sentMessage("typed-question", { ...choice, recipient: BO });
    await telegram.person.type({ conversation: BO, text: "Green" });
    await eventually(() => {
      expect(JSON.stringify(telegram.requests.at(-1)?.fields)).toContain(
        "Please reply with one of the options",
      );
    });
    await telegram.person.type({ conversation: BO, text: " blue " });
    await untilItem("typed-question", { status: "answered", answer: "Blue" });
  });

  it("in a group a reply to what was told of a misfit is one to its question", async () => {
    const choice = { question: "Which?", answer_format: "select", options: ["Red", "Blue"] };
    const asked = await sentMessage("group-question", { ...choice, recipient: "-2001" });
    const says = (text: string, replyTo: string) =>
      telegram.person.type({ conversation: "-2001", text, replyTo, as: BO });
    await says("Green", asked);
    let notice = "";
    await eventually(() => {
      const chat = telegram.person.see().conversations.find(({ id }) => id === "-2001");
      const last = chat?.messages.at(-1);
      expect(last?.text).toContain("Please reply with one of the options");
      notice = last?.id ?? "";
    });
    await says("blue", notice);
    await untilItem("group-question", { status: "answered", answer: "Blue" });
  });

  it("a reply without a context to several live questions answers none, and one in context its own", async () => {
    const first = await sentMessage("context-first", { recipient: BO });
    await sentMessage("context-second", { recipient: BO });
    await telegram.person.type({ conversation: BO, text: "yes" });
    await eventually(() => {
      expect(JSON.stringify(telegram.requests.at(-1)?.fields)).toContain("the question that you mean");
    });
    await telegram.person.type({ conversation: BO, text: "no", replyTo: first });
    await untilItem("context-first", { status: "answered", answer: false });
    await untilItem("context-second", { status: "pending" });
  });

  it("a sensitive answer stands in nothing that was kept of the message, and its repeat is known", async () => {
    const message = await sentMessage("secret-question", {
      ...{ recipient: ADA, question: "The code?", answer_format: "text", sensitive: true },
    });
    await telegram.person.type({ conversation: ADA, text: "red-alder-77", replyTo: message });
    await untilItem("secret-question", { status: "answered" });
    const log = await openLog({ url: interlude.nats.url, service: "witness" });
    const last = () =>
      log.manager.streams.getMessage(STREAMS.inbound, { last_by_subj: "inbound.telegram.>" });
    await eventually(async () => {
      expect((await last())?.json()).toMatchObject({ channel: "telegram", kind: "ignored" });
    });
    const kept = (await log.manager.streams.info(STREAMS.inbound)).state.messages;
    await telegram.webhooks.redeliver();
    expect((await log.manager.streams.info(STREAMS.inbound)).state.messages).toBe(kept);
    expect((await last())?.json()).not.toHaveProperty("sealed");
    await log.close();
    expect((await call("GET", "/api/interactions/secret-question/result")).body).toMatchObject({
      answer: "red-alder-77",
    });
  });

  it("an update that comes again changes nothing, and a forged one is told nothing", async () => {
    await telegram.webhooks.redeliver();
    await untilItem("typed-question", { status: "answered", answer: "Blue" });
    const hook = `${interlude.url}/api/channels/telegram/webhook`;
    const forged = await fetch(hook, { method: "POST", body: JSON.stringify({ update_id: 1 }) });
    expect([forged.status, await forged.text()]).toEqual([401, ""]);
    const large = await fetch(hook, { method: "POST", body: "x".repeat(3 * 1_048_576 + 1) });
    expect(large.status).toBe(413);
  });

  it("a number over SMS answers the question in front, and the next one goes out", async () => {
    const sms = {
      channel: "sms",
      recipient: "+15550001002",
      answer_format: "select",
      options: ["Red", "Blue"],
    };
    await ask({ ...ASK, ...sms, id: "sms-question-1", question: "First?" });
    await ask({ ...ASK, ...sms, id: "sms-question-2", question: "Second?" });
    await untilItem("sms-question-1", { delivery: { state: "sent" } });
    await twilio.person.type({ conversation: "+15550001002", text: "2" });
    await untilItem("sms-question-1", { status: "answered", answer: "Blue" });
    await untilItem("sms-question-2", { delivery: { state: "sent" } });
    await twilio.person.type({ conversation: "+15550001002", text: "red" });
    await untilItem("sms-question-2", { status: "answered", answer: "Red" });
  });
});

describe("what a provider says later", () => {
  it("is shown of a question, and its final failure ends it with the code", async () => {
    await ask({ ...ASK, id: "later-report", channel: "sms", recipient: "+15550001002" });
    await untilItem("later-report", { delivery: { state: "sent" } });
    const chat = twilio.person.see().conversations.find(({ id }) => id === "+15550001002");
    const id = chat?.messages.at(-1)?.id ?? "";
    await twilio.report(id, "delivered");
    await untilItem("later-report", { delivery: { state: "delivered" } });
    await twilio.report(id, "undelivered", 30003);
    await untilItem("later-report", { status: "failed", delivery: { state: "failed" } });
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

  const size = { type: "object", properties: { size: { type: "integer" } } };
  it.each([
    ["a schema that is none", { schema: { type: "object", properties: 7 } }, "/schema/properties"],
    ["a prefill of another type", { schema: size, data: { values: { size: "L" } } }, "/data/values/size"],
    [
      "pages that leave a property out",
      {
        schema: { ...size, properties: { ...size.properties, colour: { type: "string" } } },
        pages: [{ title: "One", properties: ["size"] }],
      },
      "/pages",
    ],
  ])("is refused for a form with %s, and nothing is sent", async (_what, form, path) => {
    const before = telegram.requests.length;
    const told = { message: "Which size?", channel: "telegram", recipient: "1002", ...form };
    const { status, body } = await call("POST", "/api/notifications", told);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "validation_failed", errors: [{ path }] });
    expect(telegram.requests).toHaveLength(before);
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
