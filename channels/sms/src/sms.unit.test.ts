import { createHmac } from "node:crypto";
import type { OutgoingQuestion } from "@interlude/channel-kit";
import { channelContract, goldenNotifications, goldenQuestions } from "@interlude/channel-kit/testing";
import { describe, expect, it } from "vitest";
import { createSmsChannel, readSmsConfig } from "./index.ts";
import { LIMITS } from "./limits.ts";

const ENVIRONMENT = {
  TWILIO_ACCOUNT_SID: "AC0001",
  TWILIO_AUTH_TOKEN: "12345",
  TWILIO_FROM: "+15550001111",
};
const make = (environment: Record<string, string> = {}, publicBaseUrl = "https://public.example") => {
  const setup = readSmsConfig({ ...ENVIRONMENT, ...environment });
  if (setup.state !== "set") return expect.fail(setup.state);
  return createSmsChannel(setup.config, { publicBaseUrl });
};
const channel = make();
const to = "+15550002222";
const golden = (value: unknown, name: string) =>
  expect(`${JSON.stringify(value, undefined, 2)}\n`).toMatchFileSnapshot(`../golden/${name}.json`);

channelContract("sms", {
  make,
  recipient: to,
  readable: (_, body) => ("Body" in body ? String(body.Body) : ""),
});

describe("an SMS", () => {
  it.each(goldenQuestions(to))("is the one of the golden file for %s", async (name, question) => {
    await golden(channel.render(question), name);
  });

  it.each(goldenNotifications(to))("tells the golden %s", async (name, notification) => {
    await golden(channel.renderNotification(notification), name);
  });

  const ask = (
    rest: Partial<Pick<OutgoingQuestion, "question" | "media" | "recipient">>,
  ): OutgoingQuestion => ({
    format: "text",
    question: "q",
    reference: "r",
    recipient: to,
    pageUrl: "https://ask.example/x",
    deadlineMs: 0,
    ...rest,
  });

  it.each([
    [LIMITS.BODY_MAX_CHARS, 1],
    [LIMITS.BODY_MAX_CHARS + 1, 2],
    [8192, 6],
  ])("of %i characters is %i messages, each within the limit", (length, count) => {
    const { requests } = channel.render(ask({ question: "x".repeat(length) }));
    expect(requests).toHaveLength(count);
    const bodies = requests.map(({ body }) => (typeof body["Body"] === "string" ? body["Body"] : ""));
    expect(Math.max(...bodies.map((body) => body.length))).toBeLessThanOrEqual(1_600);
    expect(bodies.join("")).toBe("x".repeat(length));
  });

  it("carries at most ten files, the rest as links, and links only outside North America", () => {
    const media = Array.from({ length: 12 }, (_, index) => ({
      kind: "image" as const,
      url: `https://files.example/${index}.png`,
    }));
    const [first] = channel.render(ask({ media })).requests;
    expect(first?.body["MediaUrl"]).toHaveLength(LIMITS.MEDIA_MAX_ITEMS);
    expect(first?.body["Body"]).toBe("q\n\nhttps://files.example/10.png\nhttps://files.example/11.png");
    const [abroad] = channel.render(ask({ media, recipient: "+4915112345678" })).requests;
    expect(abroad?.body["MediaUrl"]).toBeUndefined();
    expect(abroad?.body["Body"]).toContain("/0.png\n");
  });

  it("refuses when asked what would not arrive whole", () => {
    const url = `https://files.example/${"x".repeat(1_600)}`;
    const paths = (content: object) =>
      channel.check({ format: "confirm", question: "q", recipient: to, ...content }).map(({ path }) => path);
    expect(paths({ media: [{ kind: "link", url }] })).toEqual(["/media/0/url"]);
    expect(paths({ format: "external", linkUrl: url })).toEqual(["/link"]);
    expect(
      paths({ format: "select", options: Array.from({ length: 200 }, (_, i) => `${"o".repeat(500)}${i}`) }),
    ).toEqual(["/options"]);
    expect(paths({ recipient: undefined })).toEqual(["/recipient"]);
    expect(
      channel.checkNotification({ message: "m", recipient: "x", media: [{ kind: "link", url }] }),
    ).toHaveLength(2);
  });

  it("is addressed in one spelling", () => {
    expect(channel.address("+1 (555) 000-2222")).toBe(to);
    expect(channel.address("12345")).toBe("12345");
    expect(channel.renderNotice("+1 555 000 2222", "hi")).toEqual([
      { method: "Messages.json", body: { To: to, Body: "hi" } },
    ]);
  });

  it("cannot be changed once it is sent", () => {
    const sent = { question: ask({}), address: to, messageId: "SM1" };
    expect(channel.renderEnd(sent, { status: "expired" })).toEqual([]);
  });
});

const PATH = "/api/channels/sms/webhook";
const sign = (url: string, body: string) => {
  const fields = [...new URLSearchParams(body)].sort().map((pair) => pair.join(""));
  return createHmac("sha1", "12345")
    .update(`${url}${fields.join("")}`)
    .digest("base64");
};
const delivery = (body: string, signature: string | null, url = PATH, method = "POST") => ({
  method,
  url,
  headers: { get: (name: string) => (name.toLowerCase() === "x-twilio-signature" ? signature : null) },
  rawBody: Buffer.from(body),
});

describe("Twilio's signature", () => {
  const body =
    "MessageSid=SM1&From=%2B15550002222&To=%2B15550001111&Body=it%27s+5%2B5+%3D+10+%26+more&MediaUrl0=";

  it("is the one of Twilio's own documented example", () => {
    const fields =
      "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
    const documented = make({}, "https://mycompany.com");
    const given = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
    expect(documented.verify(delivery(fields, given, "/myapp.php?foo=1&bar=2"), 0)).toEqual({ ok: true });
    expect(documented.verify(delivery(fields, given, "/myapp.php?foo=1&bar=3"), 0)).toEqual({ ok: false });
  });

  it("A-TEL-5: holds over the address as it was sent and every field, empty ones too", () => {
    const target = `${PATH}?name=William+O'hara&to=sip:1@203.0.113.5`;
    const given = sign(`https://public.example${target}`, body);
    expect(channel.verify(delivery(body, given, target), 0)).toEqual({ ok: true });
    expect(channel.verify(delivery(body.replace("&MediaUrl0=", ""), given, target), 0)).toEqual({
      ok: false,
    });
    expect(channel.verify(delivery(`${body}&x=`, given, target), 0)).toEqual({ ok: false });
  });

  it.each([
    ["https://public.example", "https://public.example", true],
    ["https://public.example", "https://public.example:443", true],
    ["https://public.example:8443", "https://public.example:8443", true],
    ["https://public.example:8443", "https://public.example", true],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000", true],
    ["http://127.0.0.1:3000", "http://127.0.0.1", true],
    ["https://public.example", "http://public.example", false],
    ["https://public.example", "https://evil.example", false],
    ["https://public.example", "https://public.example:8443", false],
  ])("A-TEL-1 A-TEL-2 A-TEL-8: with %s configured, one for %s is valid: %s", (base, signedFor, ok) => {
    expect(make({}, base).verify(delivery(body, sign(`${signedFor}${PATH}`, body)), 0)).toEqual({ ok });
  });

  it.each(["", "abc", "RSOYDt4T1cUTdK1PDd93/VVr8B8", "x".repeat(10_000), null])(
    "A-SIG-2: %j is refused",
    (given) => {
      expect(channel.verify(delivery(body, given), 0)).toEqual({ ok: false });
    },
  );

  it("is nobody's where there is no public address that it could be of", () => {
    const setup = readSmsConfig(ENVIRONMENT);
    if (setup.state !== "set") return expect.fail(setup.state);
    const unreachable = createSmsChannel(setup.config, {});
    expect(unreachable.verify(delivery(body, sign(PATH, body)), 0)).toEqual({ ok: false });
  });

  it("is never that of a GET", () => {
    const given = sign(`https://public.example${PATH}`, "");
    expect(channel.verify(delivery("", given, PATH, "GET"), 0)).toEqual({ ok: false });
  });
});

describe("what Twilio delivers", () => {
  const parse = (body: string) => channel.parse(delivery(body, null));

  it("is a message with its text exactly as it was typed", () => {
    const parsed = parse("MessageSid=SM1&From=%2B15550002222&To=%2B15550001111&Body=it%27s+5%2B5+%3D+10%0A");
    expect(parsed.inbound).toEqual([
      {
        kind: "message",
        updateId: "SM1",
        address: to,
        from: to,
        messageId: "SM1",
        isDirect: true,
        text: "it's 5+5 = 10\n",
      },
    ]);
    expect(parsed.reply).toEqual({
      status: 200,
      contentType: "text/xml",
      body: expect.stringContaining("<Response/>") as string,
    });
  });

  it.each(["", "&Body="])("A-TEL-6: is a picture without text (%j)", (text) => {
    const body = `From=%2B15550002222&To=%2B15550001111&NumMedia=1&MediaUrl0=https%3A%2F%2Fmedia.example%2F1&MediaContentType0=image%2Fjpeg&MessageSid=MM1${text}`;
    const [inbound] = parse(body).inbound;
    expect(inbound).toMatchObject({
      kind: "message",
      media: [{ kind: "image", url: "https://media.example/1", contentType: "image/jpeg" }],
    });
    expect(inbound).not.toHaveProperty("text");
  });

  it.each([
    ["sent", { kind: "status", status: "sent" }],
    ["delivered", { kind: "status", status: "delivered" }],
    ["read", { kind: "status", status: "read" }],
    ["failed", { kind: "status", status: "failed", code: "30003" }],
    ["undelivered", { kind: "status", status: "failed", code: "30003" }],
    ["queued", { kind: "ignored" }],
  ])("is the status %s, with an id of its own", (status, expected) => {
    const code = ["failed", "undelivered"].includes(status) ? "&ErrorCode=30003" : "";
    const { inbound } = parse(`MessageSid=SM1&MessageStatus=${status}&To=%2B1555${code}`);
    expect(inbound).toEqual([expect.objectContaining({ updateId: `SM1:${status}`, ...expected })]);
  });

  it.each(["", "{}", "MessageSid=SM1"])("is ignored when it is nothing of these: %j", (body) => {
    expect(parse(body).inbound).toEqual([expect.objectContaining({ kind: "ignored" })]);
  });
});

describe("the variables of sms", () => {
  it("make a channel when all are there", () => {
    expect(make({ SMS_DEFAULT_RECIPIENT: to }).defaultRecipient).toBe(to);
    expect(readSmsConfig({})).toEqual({ state: "unset" });
  });

  it("are named when half of them are set, or one is wrong", () => {
    expect(readSmsConfig({ TWILIO_ACCOUNT_SID: "AC1" })).toEqual({
      state: "half_set",
      missing: ["TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
    });
    expect(readSmsConfig({ ...ENVIRONMENT, TWILIO_FROM: "me", TWILIO_ACCOUNT_SID: "../x" })).toMatchObject({
      state: "invalid",
      faults: [expect.stringContaining("TWILIO_ACCOUNT_SID"), expect.stringContaining("TWILIO_FROM")],
    });
  });
});
