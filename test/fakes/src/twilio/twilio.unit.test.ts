import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../core/receiver.ts";
import { TWILIO_LIMITS as LIMITS } from "./limits.ts";
import { countSegments } from "./segments.ts";
import { twilioSignature } from "./sign.ts";
import { startTwilioFake, type TwilioFake } from "./start-twilio-fake.ts";

let fake: TwilioFake;
let receiver: Receiver;
beforeEach(async () => {
  [fake, receiver] = await Promise.all([startTwilioFake(), startReceiver()]);
});
afterEach(async () => {
  await Promise.all([fake.stop(), receiver.stop()]);
});

const ADA = "+15550001001";
type Sent = { status: number; code?: number; sid?: string; body?: string };

async function send(
  form: Readonly<Record<string, string | string[]>>,
  token = fake.authToken,
): Promise<Sent> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries({ To: ADA, From: fake.number, Body: "hi", ...form })) {
    for (const each of [value].flat()) if (each !== "") body.append(name, each);
  }
  const response = await fetch(`${fake.apiUrl}/2010-04-01/Accounts/${fake.accountSid}/Messages.json`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${fake.accountSid}:${token}`).toString("base64")}` },
    body,
  });
  return { ...((await response.json()) as Sent), status: response.status };
}

const x = (count: number): string => "x".repeat(count);
const urls = (count: number): string[] => Array.from({ length: count }, (_, n) => `https://a.example/${n}`);

describe("the Twilio fake", () => {
  it.each<[string, number, (n: number) => Record<string, string | string[]>, number]>([
    ["Body", LIMITS.body.max, (n) => ({ Body: x(n) }), 21617],
    ["list of MediaUrl", LIMITS.mediaUrls.max, (n) => ({ MediaUrl: urls(n) }), 21623],
    [
      "StatusCallback",
      LIMITS.statusCallbackUrl.max,
      (n) => ({ StatusCallback: `https://a.example/${x(n - 18)}` }),
      21609,
    ],
    ["ValidityPeriod", LIMITS.validitySeconds.max, (n) => ({ ValidityPeriod: String(n) }), 21626],
  ])("takes the longest %s and refuses one more", async (_name, max, make, code) => {
    expect(await send(make(max))).toMatchObject({ status: 201 });
    expect(await send(make(max + 1))).toMatchObject({ status: 400, code });
  });

  it.each<[string, Record<string, string>, number]>([
    ["nobody to send to", { To: "" }, 21604],
    ["no number to send from", { From: "" }, 21603],
    ["another's number", { From: "+15550007777" }, 21606],
    ["nothing to say", { Body: "" }, 21602],
    ["what is no number", { To: "Ada" }, 21211],
    ["a number of its own", { To: "+15550009000" }, 21266],
    ["media without an address", { MediaUrl: "a.png" }, 21620],
    ["a host with an underscore", { StatusCallback: "https://a_b.example/" }, 21609],
    ["a misspelt name", { MediaURL: "https://a.example/" }, 20001],
  ])("refuses %s", async (_name, form, code) => {
    expect(await send(form)).toMatchObject({ status: 400, code });
  });

  it("refuses another's token, too much at once, and fails as told", async () => {
    expect(await send({}, "wrong")).toMatchObject({ status: 401, code: 20003 });
    fake.limitRates({ perConversation: { count: 1, perMs: 60_000 } });
    expect(await send({})).toMatchObject({ status: 201 });
    expect(await send({})).toMatchObject({ status: 429, code: 20429 });
    fake.limitRates({});
    fake.fault({ kind: "fail", status: 503, code: 20503 });
    expect(await send({})).toMatchObject({ status: 503, code: 20503 });
    fake.fault({ kind: "drop", when: "after" });
    await expect(send({ Body: "lost answer" })).rejects.toThrow();
    expect(fake.person.see().conversations[0]?.messages.at(-1)?.text).toBe("lost answer");
  });

  it("sends nothing to who said STOP, until they say START", async () => {
    await fake.person.type({ conversation: ADA, text: " stop " });
    expect(await send({})).toMatchObject({ status: 400, code: 21610 });
    await fake.person.type({ conversation: ADA, text: "Start" });
    expect(await send({})).toMatchObject({ status: 201 });
  });

  it("signs as Twilio does, over the public URL, wherever it is delivered", async () => {
    const parameters = {
      CallSid: "CA1234567890ABCDE",
      Caller: "+14158675309",
      Digits: "1234",
      From: "+14158675309",
      To: "+18005551212",
    };
    const published = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
    expect(twilioSignature("12345", "https://mycompany.com/myapp.php?foo=1&bar=2", parameters)).toBe(
      published,
    );

    const hook = "https://ask.example/api/channels/sms/webhook?a=1";
    fake.webhooks.reach("https://ask.example", receiver.url);
    fake.deliverTo(hook);
    await fake.person.sendMedia({
      conversation: ADA,
      kind: "image",
      url: "https://a.example/1",
      caption: "é ok",
    });
    const got = receiver.received.at(-1);
    const form = Object.fromEntries(new URLSearchParams(got?.rawBody.toString()));
    expect(form).toMatchObject({ Body: "é ok", NumMedia: "1", MediaUrl0: "https://a.example/1", From: ADA });
    expect(got?.query.get("a")).toBe("1");
    expect(got?.header("x-twilio-signature")).toBe(twilioSignature(fake.authToken, hook, form));
  });

  it("holds webhooks, reorders them, and delivers one again", async () => {
    fake.deliverTo(`${receiver.url}/hook`);
    fake.webhooks.hold();
    for (const text of ["1", "2"]) await fake.person.type({ conversation: ADA, text });
    expect(receiver.received).toEqual([]);
    await fake.webhooks.release("reversed");
    await fake.webhooks.redeliver("webhook-1");
    const bodies = receiver.received.map(({ rawBody }) => new URLSearchParams(rawBody.toString()));
    expect(bodies.map((body) => body.get("Body"))).toEqual(["2", "1", "1"]);
    expect(bodies[1]?.get("MessageSid")).toBe(bodies[2]?.get("MessageSid"));
  });

  it("reports a status where the message asked for it, and shows a TwiML reply", async () => {
    const { sid = "" } = await send({ StatusCallback: `${receiver.url}/status` });
    await fake.report(sid, "undelivered", 30003);
    const form = Object.fromEntries(new URLSearchParams(receiver.received[0]?.rawBody.toString()));
    expect(form).toMatchObject({ MessageSid: sid, MessageStatus: "undelivered", ErrorCode: "30003" });

    fake.deliverTo(`${receiver.url}/hook`);
    const body = "<Response><Message>Thank you</Message></Response>";
    receiver.answerWith({ status: 200, headers: { "content-type": "text/xml" }, body });
    await fake.person.type({ conversation: ADA, text: "hello" });
    expect(fake.person.see().conversations[0]?.messages.at(-1)).toMatchObject({
      text: "Thank you",
      fromApp: true,
    });
  });

  it.each([
    ["a".repeat(160), 1],
    ["a".repeat(161), 2],
    ["€".repeat(80), 1],
    ["€".repeat(81), 2],
    ["ж".repeat(70), 1],
    ["ж".repeat(71), 2],
  ])("counts segments (%#)", (text, count) => {
    expect(countSegments(text)).toBe(count);
  });
});
