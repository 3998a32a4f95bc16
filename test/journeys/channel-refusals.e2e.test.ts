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
  ])("a notification with %s", async (_what, fields, path, told) => {
    const reply = await notify({ message: "Done.", ...fields });
    expect(faultsOf(reply)).toEqual({ status: 400, code: "validation_failed", paths: [path] });
    expect(messagesOf(reply)).toContain(told);
    expect(twilio.requests).toEqual([]);
  });
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
