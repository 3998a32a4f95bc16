import { openLog, STREAMS } from "@interlude/event-log";
import {
  startTelegramFake,
  startTwilioFake,
  type TelegramFake,
  type TwilioFake,
} from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { talk } from "../support/talk.ts";

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
    },
  });
});
afterAll(async () => {
  await interlude.stop();
  await telegram.stop();
  await twilio.stop();
});

const talking = talk(() => interlude);

const SIZES = {
  type: "object",
  required: ["size"],
  properties: {
    size: { type: "string", title: "Size", enum: ["any"] },
    count: { type: "integer", title: "Count", minimum: 1 },
    gift: { type: "boolean", title: "As a gift" },
  },
};
const DATA = {
  values: { count: 2 },
  options: {
    size: [
      { value: "l", label: "Large" },
      { value: "s", label: "Small" },
    ],
  },
};
const PAGES = [
  { title: "What", properties: ["size", "count"] },
  { title: "How", properties: ["gift"] },
];

/** The address of a form's page in what was last sent to a provider. */
function pageIn(requests: readonly { fields: unknown }[]): string {
  const [url] =
    /https?:\/\/[^\s"\\]+\/api\/(?:interactions\/callback|notifications\/form)\/[^\s"\\]+/.exec(
      JSON.stringify(requests.at(-1)?.fields),
    ) ?? [];
  if (url === undefined) throw new Error("no page was linked to");
  return url;
}

const FIELDS = "application/x-www-form-urlencoded";

function submit(url: string, fields: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams(fields).toString();
  return fetch(url, { method: "POST", headers: { "content-type": FIELDS }, body });
}

describe("a form over a channel without forms of its own", () => {
  it.each([
    ["telegram", "1001", () => telegram.requests],
    ["sms", "+15550001001", () => twilio.requests],
  ])("is a page over %s, whose submission is the answer", async (channel, recipient, requests) => {
    const id = `page-form-${channel}`;
    const form = { answer_format: "form", schema: SIZES, data: DATA, pages: PAGES };
    await talking.ask({ id, question: "Which size?", channel, recipient, ...form });
    const url = pageIn(requests());
    const page = await (await fetch(url)).text();
    for (const text of ["Which size?", "What", "How", "Large", "Small", 'value="2"']) {
      expect(page).toContain(text);
    }
    expect((await submit(url, { size: "Large", count: "2" })).status).toBe(400);
    expect((await submit(url, { size: "l", count: "2", gift: "true" })).status).toBe(200);
    await talking.untilItem(id, {
      ...{ status: "answered", answer: { size: "l", count: 2, gift: true } },
      answered_by: "external-callback",
    });
    expect((await submit(url, { size: "s" })).status).toBe(200);
    await talking.untilItem(id, { status: "answered", answer: { size: "l", count: 2, gift: true } });
  });

  it("takes its button away in Telegram once it is answered", async () => {
    await eventually(() => {
      expect(telegram.requests.at(-1)).toMatchObject({ operation: "editMessageText" });
    });
  });
});

describe("a form that nobody waits for", () => {
  const TOLD = { message: "Tell us your size", schema: SIZES, data: DATA, pages: PAGES };

  async function told(channel: string, recipient: string): Promise<string> {
    const requests = channel === "sms" ? twilio.requests : telegram.requests;
    const before = requests.length;
    const { status } = await talking.call("POST", "/api/notifications", { ...TOLD, channel, recipient });
    expect(status).toBe(202);
    await eventually(() => {
      expect(requests.length).toBeGreaterThan(before);
    });
    return pageIn(requests);
  }

  async function said(): Promise<number> {
    const log = await openLog({ url: interlude.nats.url, service: "test" });
    const { state } = await log.manager.streams.info(STREAMS.inbound);
    await log.close();
    return state.messages;
  }

  it("is a page that is open again and again, and what is put in is said once each time", async () => {
    const url = await told("sms", "+15550001002");
    expect(url).toContain("/api/notifications/form/");
    const page = await fetch(url);
    expect(page.status).toBe(200);
    const html = await page.text();
    for (const text of ["Tell us your size", "What", "How", "Large"]) expect(html).toContain(text);
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? "";
    const sent = new URL(action, url).href;
    const before = await said();
    expect((await submit(sent, { size: "l" })).status).toBe(200);
    expect((await submit(sent, { size: "l" })).status).toBe(200);
    expect((await said()) - before).toBe(1);
    const again = /action="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? "";
    expect((await submit(new URL(again, url).href, { size: "l" })).status).toBe(200);
    expect((await said()) - before).toBe(2);
  });

  it("refuses what does not fit, at its field, and keeps what was typed", async () => {
    const url = await told("telegram", "1002");
    const before = await said();
    const refused = await submit(url, { size: "l", count: "many" });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain("whole number");
    expect(html).toContain("many");
    expect(await said()).toBe(before);
  });

  it.each(["x", "k1.x.y.z"])("is one constant 404 under the token %s", async (token) => {
    const url = `${interlude.url}/api/notifications/form/${token}`;
    const [got, posted] = [await fetch(url), await submit(url, { size: "l" })];
    expect([got.status, posted.status]).toEqual([404, 404]);
    expect([await got.text(), await posted.text()]).toEqual(
      Array.from({ length: 2 }, () => '{"error":"not found"}'),
    );
  });

  it("is no page of a question, nor a question's of it", async () => {
    const url = await told("telegram", "1002");
    const other = url.replace("/api/notifications/form/", "/api/interactions/callback/");
    expect((await fetch(other)).status).toBe(404);
  });

  it("takes fields of a page only, and no more than a page has", async () => {
    const url = await told("telegram", "1002");
    const json = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ size: "l" }),
    });
    expect(json.status).toBe(415);
    expect((await submit(url, { size: "l", note: "x".repeat(70_000) })).status).toBe(413);
  });
});
