import { startTwilioFake, type TwilioFake } from "@interlude/test-fakes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse, faultsOf, messagesOf } from "../support/converse.ts";
import { PROVIDER_VARIABLES } from "../support/provider-webhooks.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { openStoreWitness, type StoreWitness } from "../support/store-witness.ts";

const ADA = "+15550001001";
const BO = "+15550001002";

let twilio: TwilioFake;
let interlude: Interlude;
let second: Interlude;
let witness: StoreWitness;
const at = () => ({ ...interlude, natsUrl: interlude.nats.url });
const { call, ask, listed } = converse(at);
const atSecond = converse(() => ({ ...second, natsUrl: second.nats.url }));

beforeAll(async () => {
  twilio = await startTwilioFake();
  const options = {
    settings: { max_queued: 2 },
    env: {
      ...PROVIDER_VARIABLES,
      TWILIO_API_URL: twilio.apiUrl,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: twilio.number,
      SMS_ALLOWED_RECIPIENTS: `${ADA}, ${BO}`,
      SLACK_SIGNING_SECRET: "",
    },
  };
  interlude = await startInterlude(options);
  second = await startInterlude({ ...options, beside: interlude });
  witness = await openStoreWitness(interlude.nats.url);
});
afterAll(async () => {
  await witness.close();
  await second.stop();
  await interlude.stop();
  await twilio.stop();
});

const notify = (body: object) => call("/api/notifications", { key: interlude.keys.asker, json: body });

const TO_ADA = { channel: "sms", recipient: ADA };
const SIZE = { type: "object", properties: { size: { type: "string" } } };
type Row = [string, object, string, string];
const WHERE: Row[] = [
  ["a channel that is none", { channel: "pigeon", recipient: ADA }, "/channel", "pigeon"],
  ["a channel that is half set", { channel: "slack", recipient: "C1" }, "/channel", "SLACK_SIGNING_SECRET"],
  ["a recipient without a channel", { recipient: ADA }, "/recipient", "channel"],
  ["nobody, where nobody is the default", { channel: "sms" }, "/recipient", "SMS_DEFAULT_RECIPIENT"],
  [
    "whom the list leaves out",
    { channel: "sms", recipient: "+15550001003" },
    "/recipient",
    "SMS_ALLOWED_RECIPIENTS",
  ],
  ["what is no phone number", { channel: "sms", recipient: "ada" }, "/recipient", "+15550001111"],
  ["a recipient of 513 characters", { channel: "sms", recipient: "1".repeat(513) }, "/recipient", "512"],
  ["a recipient with a line break", { channel: "sms", recipient: `${ADA}\n` }, "/recipient", "control"],
  [
    "a link that no message can hold",
    {
      channel: "sms",
      recipient: ADA,
      media: [{ kind: "link", url: `https://x.example/${"a".repeat(1_600)}` }],
    },
    "/media/0/url",
    "1600",
  ],
];

describe("what goes to a channel is refused, and nothing of it is stored, for", () => {
  it.each(WHERE)("%s", async (_what, where, path, told) => {
    const before = await witness.everything();
    for (const reply of [
      await ask({ question: "Shall we?", ...where }),
      await notify({ message: "Done.", ...where }),
    ]) {
      expect(faultsOf(reply)).toEqual({ status: 400, code: "validation_failed", paths: [path] });
      expect(messagesOf(reply)).toContain(told);
    }
    expect(await witness.everything()).toBe(before);
    expect(twilio.requests).toEqual([]);
  });

  it.each<Row>([
    ["a message that shows nothing", { message: " \u200b" }, "/message", "visible"],
    ["a message of 65,537 characters", { message: "x".repeat(65_537) }, "/message", "65536"],
    [
      "a form without a channel",
      { schema: { type: "object", properties: { a: { type: "string" } } } },
      "/schema",
      "channel",
    ],
    [
      "a field that nobody knows",
      { channel: "sms", recipient: ADA, sender_identity: "x" },
      "/sender_identity",
      "sender_identity",
    ],
    ["no message", { message: undefined }, "/message", "message"],
    ["an empty message", { message: "" }, "/message", "empty"],
    ["a message that is no text", { message: 7 }, "/message", "message"],
    ["replies to tap without a channel", { options: ["Yes"] }, "/options", "channel"],
    ["no replies", { ...TO_ADA, options: [] }, "/options", "empty"],
    ["11 replies", { ...TO_ADA, options: Array.from({ length: 11 }, (_, n) => `no ${n}`) }, "/options", "10"],
    ["a reply that shows nothing", { ...TO_ADA, options: ["Yes", " "] }, "/options/1", "visible"],
    ["a reply of 513 characters", { ...TO_ADA, options: ["x".repeat(513)] }, "/options/0", "512"],
    [
      "replies that nobody could tell apart",
      { ...TO_ADA, options: ["Yes", { value: "y", label: " yes" }] },
      "/options/1",
      "label",
    ],
    ["replies beside a form", { ...TO_ADA, schema: SIZE, options: ["Yes"] }, "/options", "schema"],
    ["prefills without a form", { ...TO_ADA, data: { values: { size: "m" } } }, "/data", "schema"],
    [
      "pages without a form",
      { ...TO_ADA, pages: [{ title: "A", properties: ["size"] }] },
      "/pages",
      "schema",
    ],
    [
      "a prefill of another type",
      { ...TO_ADA, schema: SIZE, data: { values: { size: 7 } } },
      "/data/values/size",
      "size",
    ],
    [
      "a prefill of nothing",
      { ...TO_ADA, schema: SIZE, data: { values: { sise: "m" } } },
      "/data/values/sise",
      "sise",
    ],
    [
      "a page of nothing",
      { ...TO_ADA, schema: SIZE, pages: [{ title: "A", properties: ["size", "sise"] }] },
      "/pages/0/properties/1",
      "sise",
    ],
    [
      "an empty form",
      { ...TO_ADA, schema: { type: "object", properties: {} } },
      "/schema/properties",
      "property",
    ],
    [
      "a form that no medium shows",
      { ...TO_ADA, schema: { type: "object", properties: { tags: { type: "array" } } } },
      "/schema/properties/tags/type",
      "tags",
    ],
    ["a schema that is none", { ...TO_ADA, schema: 7 }, "/schema", "schema"],
    ["media that are none", { ...TO_ADA, media: [] }, "/media", "empty"],
    [
      "media of another kind",
      { media: [{ kind: "film", url: "https://x.example/f" }] },
      "/media/0/kind",
      "kind",
    ],
    [
      "an address that is not https",
      { media: [{ kind: "image", url: "http://x.example/p.png" }] },
      "/media/0/url",
      "https",
    ],
    [
      "bytes that are not there",
      { ...TO_ADA, media: [{ kind: "image", url: `/api/interactions/media/${"A".repeat(43)}` }] },
      "/media/0/url",
      "does not exist",
    ],
    ["an audience of nobody", { audience: "" }, "/audience", "empty"],
    ["an audience of 513 characters", { audience: "x".repeat(513) }, "/audience", "512"],
    ["an audience with a line break", { ...TO_ADA, audience: "bob\n" }, "/audience", "control"],
  ])("a notification with %s", async (_what, fields, path, told) => {
    const before = await witness.everything();
    const reply = await notify({ message: "Done.", ...fields });
    expect(faultsOf(reply)).toEqual({ status: 400, code: "validation_failed", paths: [path] });
    expect(messagesOf(reply)).toContain(told);
    expect(await witness.everything()).toBe(before);
    expect(twilio.requests).toEqual([]);
  });

  it("a notification, with every fault of it", async () => {
    const reply = await notify({ message: "", recipient: ADA, options: ["a", "A"], data: {} });
    expect(faultsOf(reply).paths.sort()).toEqual([
      "/data",
      "/message",
      "/options",
      "/options/1",
      "/recipient",
    ]);
  });

  it.each<[string, number, string, object]>([
    ["who may only answer", 403, "forbidden", { key: "answerer" }],
    ["who is nobody", 401, "unauthenticated", { key: "nobody" }],
  ])("a notification of %s", async (_who, status, code, { key }: { key?: string }) => {
    const before = await witness.everything();
    const as = key === "answerer" ? { key: interlude.keys.answerer } : {};
    const reply = await call("/api/notifications", { ...as, json: { message: "Done.", ...TO_ADA } });
    expect([reply.status, reply.json["code"]]).toEqual([status, code]);
    expect(await witness.everything()).toBe(before);
  });

  it("a notification that is larger than an event may be", async () => {
    const before = await witness.everything();
    const media = Array.from({ length: 50 }, (_, n) => ({
      ...{
        kind: "link",
        url: `https://x.example/${n}/${"a".repeat(8_000)}`,
        caption: "\u{1F600}".repeat(1_000),
      },
    }));
    const large = await notify({ message: "x", media });
    expect([large.status, large.json["code"]]).toEqual([413, "payload_too_large"]);
    expect(await witness.everything()).toBe(before);
  });
});

it("at its bounds a notification is taken, and read whole", async () => {
  const options = Array.from({ length: 10 }, (_, n) => `${n}${"x".repeat(511)}`);
  const reply = await notify({ message: `${"m".repeat(65_535)}!`, ...TO_ADA, options });
  expect(reply.status).toBe(202);
  await expect
    .poll(
      () =>
        twilio.person
          .see()
          .conversations.find(({ id }) => id === ADA)
          ?.messages.at(-1)?.text,
      {
        timeout: 20_000,
      },
    )
    .toContain("x".repeat(100));
  const all = twilio.person.see().conversations.find(({ id }) => id === ADA)?.messages ?? [];
  const text = all.map((message) => message.text).join("");
  expect(text.replaceAll(/[^m]/g, "")).toHaveLength(65_535);
});

it("max_queued holds for a person over all processes, and frees a place with each end", async () => {
  const sms = { question: "Shall we?", channel: "sms", recipient: BO };
  const first = await ask({ ...sms, id: "queued-one" });
  const last = await ask({ ...sms, id: "queued-two", recipient: "+1 (555) 000-1002" });
  expect([first.status, last.status]).toEqual([201, 201]);
  await listed("?page_size=1", last.json["sequence"]);
  for (const { ask: askThere } of [atSecond, converse(at)]) {
    const refused = await askThere({ ...sms, id: "queued-three" });
    expect([refused.status, refused.json["code"]]).toEqual([429, "limit_reached"]);
    expect(refused.headers.get("retry-after")).not.toBeNull();
  }
  // It stands in nobody's way but this person's; and what was taken is repeated.
  expect((await atSecond.ask({ ...sms, recipient: ADA })).status).toBe(201);
  expect((await atSecond.ask({ ...sms, id: "queued-one" })).status).toBe(200);
  await call("/api/interactions/queued-one/cancel", { key: interlude.keys.asker, json: {} });
  await expect
    .poll(async () => (await atSecond.ask({ ...sms, id: "queued-four" })).status, { timeout: 10_000 })
    .toBe(201);
});
