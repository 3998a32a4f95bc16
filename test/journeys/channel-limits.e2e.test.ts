import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AllChannels,
  CHAT_CHANNELS,
  type ChatChannel,
  startAllChannels,
} from "../support/all-channels.ts";
import { converse, faultsOf, messagesOf } from "../support/converse.ts";
import { openStoreWitness, type StoreWitness } from "../support/store-witness.ts";

const ALL = [...CHAT_CHANNELS, "webhook"] as const;
type Name = (typeof ALL)[number];
type Body = Record<string, unknown>;

const ADA: Record<ChatChannel, string> = {
  slack: "D0ADA",
  telegram: "1001",
  sms: "+15550001001",
  whatsapp: "15550001001",
};

let running: AllChannels;
let witness: StoreWitness;
const at = () => ({ ...running.interlude, natsUrl: running.interlude.nats.url });
const { call, ask } = converse(at);

beforeAll(async () => {
  // Nobody is the default, and Ada alone may be asked.
  const fence = CHAT_CHANNELS.flatMap((channel) => [
    [`${channel.toUpperCase()}_DEFAULT_RECIPIENT`, ""],
    [`${channel.toUpperCase()}_ALLOWED_RECIPIENTS`, ADA[channel]],
  ]);
  running = await startAllChannels({
    secrets: { signer: "a secret of the provider" },
    env: Object.fromEntries(fence) as Record<string, string>,
  });
  witness = await openStoreWitness(running.interlude.nats.url);
});
afterAll(async () => {
  await witness.close();
  await running.stop();
});

const recipientOf = (channel: Name) => (channel === "webhook" ? running.desk : ADA[channel]);
const over = (channel: Name, body: Body): Body => ({
  ...{ question: "Shall we?", channel, recipient: recipientOf(channel) },
  ...body,
});
const form = (properties: Body, more: Body = {}): Body => ({
  answer_format: "form",
  schema: { type: "object", properties, ...more },
});
const texts = (count: number, of = (at: number) => `o${at}`) =>
  Array.from({ length: count }, (_, at) => of(at));
const media = (kind: string, url: string, more: Body = {}) => ({ media: [{ kind, url, ...more }] });

async function expectRefused(body: Body, path: string, told: string, door = ask): Promise<void> {
  const [before, sent] = [await witness.everything(), running.sent()];
  const reply = await door(body);
  expect(faultsOf(reply)).toEqual({ status: 400, code: "validation_failed", paths: [path] });
  expect(messagesOf(reply)).toContain(told);
  expect([await witness.everything(), running.sent()]).toEqual([before, sent]);
}

const notify: typeof ask = ({ question: message, ...body }) =>
  call("/api/notifications", { key: running.interlude.keys.asker, json: { message, ...body } });

type Row = [what: string, body: Body, path: string, told: string];

const EVERYWHERE: Row[] = [
  ["a link of what is not external", { link: "https://x.example/?r={callback_url}" }, "/link", "link"],
  [
    "a verifier of what is not external",
    { verifier: { name: "github", config: { secret_ref: "signer" } } },
    "/verifier",
    "verifier",
  ],
  [
    "a link that leads nowhere back",
    { answer_format: "external", link: "https://x.example/" },
    "/link",
    "callback_url",
  ],
  [
    "a signature without a link to who signs",
    { answer_format: "external", verifier: { name: "github", config: { secret_ref: "signer" } } },
    "/verifier",
    "link",
  ],
  ["options of a confirm", { answer_format: "confirm", options: ["Yes"] }, "/options", "options"],
  ["a select without options", { answer_format: "select" }, "/options", "options"],
  ["201 options", { answer_format: "select", options: texts(201) }, "/options", "200"],
  [
    "an option of 513 characters",
    { answer_format: "select", options: ["x".repeat(513)] },
    "/options/0",
    "512",
  ],
  [
    "options that are one when typed",
    { answer_format: "select", options: ["Yes", " yes"] },
    "/options/1",
    "same value",
  ],
  ["suggestions that are one when typed", { options: ["No", "no"] }, "/options/1", "same value"],
  ["data of a question without a form", { data: { values: { a: 1 } } }, "/data", "data"],
  ["pages of a question without a form", { pages: [{ title: "One", properties: ["a"] }] }, "/pages", "pages"],
  ["a schema of a question without a form", { schema: { type: "object" } }, "/schema", "schema"],
  [
    "a mismatch notice of 2,001 characters",
    { mismatch_notice: "x".repeat(2_001) },
    "/mismatch_notice",
    "2000",
  ],
  ["a policy that is none", { on_mismatch: "ignore" }, "/on_mismatch", "retry"],
  ["a question of 8,193 characters", { question: "x".repeat(8_193) }, "/question", "8192"],
  ["a kind of media that is none", media("sticker", "https://x.example/1.png"), "/media/0/kind", "kind"],
  ["a picture over plain http", media("image", "http://x.example/1.png"), "/media/0/url", "https"],
  [
    "a caption of 1,001 characters",
    media("image", "https://x.example/1.png", { caption: "x".repeat(1_001) }),
    "/media/0/caption",
    "1000",
  ],
  [
    "the filename of what is no document",
    media("image", "https://x.example/1.png", { filename: "1.png" }),
    "/media/0/filename",
    "filename",
  ],
  [
    "51 media",
    { media: texts(51).map((o) => ({ kind: "link", url: `https://x.example/${o}` })) },
    "/media",
    "50",
  ],
  ["a recipient that is blank", { recipient: " " }, "/recipient", "recipient"],
];

describe.each(ALL)(
  "what no medium takes is refused over %s, and nothing of it is stored or sent:",
  (channel) => {
    it.each(EVERYWHERE)("%s", async (_what, body, path, told) => {
      await expectRefused(over(channel, body), path, told);
    });
  },
);

const OTHERS: Record<Name, string> = {
  ...{ slack: "D0BO", telegram: "1002", sms: "+15550001002", whatsapp: "+15550001002" },
  webhook: "https://elsewhere.example/bo",
};

describe.each(ALL)("over %s nobody is written to", (channel) => {
  const variable = (rest: string) => `${channel.toUpperCase()}_${rest}`;

  it.each(["a question", "a notification"])("by %s to nobody, where nobody is the default", async (what) => {
    const body = { question: "Shall we?", channel };
    const told = variable("DEFAULT_RECIPIENT");
    await expectRefused(body, "/recipient", told, what === "a question" ? ask : notify);
  });

  it.each(["a question", "a notification"])("by %s to whom the list leaves out", async (what) => {
    const told = variable(channel === "webhook" ? "ALLOWED_ORIGINS" : "ALLOWED_RECIPIENTS");
    const body = over(channel, { recipient: OTHERS[channel] });
    await expectRefused(body, "/recipient", told, what === "a question" ? ask : notify);
  });
});

const text = { type: "string" };
const UNRENDERABLE: Row[] = [
  ["a list", form({ a: { type: "array", items: text } }), "/schema/properties/a/type", "a must be"],
  [
    "an object",
    form({ a: { type: "object", properties: { b: text } } }),
    "/schema/properties/a/type",
    "a must be",
  ],
  ["null", form({ a: { type: "null" } }), "/schema/properties/a/type", "a must be"],
  ["one of two types", form({ a: { type: ["string", "null"] } }), "/schema/properties/a/type", "a must be"],
  ["a property without a type", form({ a: {} }), "/schema/properties/a/type", "a must be"],
  [
    "a type by reference",
    form({ a: { $ref: "#/$defs/t" } }, { $defs: { t: text } }),
    "/schema/properties/a/type",
    "a must",
  ],
  ["a choice of schemas", form({ a: { anyOf: [text] } }), "/schema/properties/a/type", "a must be"],
  ["a property that is true", form({ a: true }), "/schema/properties/a", "a must be"],
  [
    "numbers to choose from",
    form({ a: { type: "integer", enum: [1, 2] } }),
    "/schema/properties/a/enum",
    "a may",
  ],
  ["nothing to ask", form({}), "/schema/properties", "at least one"],
  [
    "only requirements",
    { answer_format: "form", schema: { allOf: [{}] } },
    "/schema/properties",
    "at least one",
  ],
  ["no object at all", { answer_format: "form", schema: { type: "string" } }, "/schema", "object"],
  [
    "what is required and not asked",
    form({ a: text }, { required: ["b"] }),
    "/schema/required/0",
    "b is required",
  ],
  ["a property without a name", form({ "": text }), "/schema/properties/", '\\"\\" is no name'],
  ["a prefill of another type", { ...form({ a: text }), data: { values: { a: 1 } } }, "/data/values/a", "a"],
  ["a prefill of nothing", { ...form({ a: text }), data: { values: { b: "x" } } }, "/data/values/b", "b"],
  [
    "choices for a number",
    { ...form({ a: { type: "number" } }), data: { options: { a: [{ value: "1" }] } } },
    "/data/options/a",
    "a",
  ],
  [
    "a page of a property that is none",
    { ...form({ a: text }), pages: [{ title: "One", properties: ["a", "b"] }] },
    "/pages/0/properties/1",
    "b",
  ],
  [
    "a property on two pages",
    { ...form({ a: text }), pages: texts(2).map((title) => ({ title, properties: ["a"] })) },
    "/pages/1/properties/0",
    "a",
  ],
  [
    "a property on no page",
    { ...form({ a: text, b: text }), pages: [{ title: "One", properties: ["a"] }] },
    "/pages",
    "b",
  ],
];

describe.each(CHAT_CHANNELS)("a form over %s is refused where it asks for", (channel) => {
  it.each(UNRENDERABLE)("%s", async (_what, body, path, told) => {
    await expectRefused(over(channel, body), path, told);
    const { answer_format: _, ...notified } = body;
    await expectRefused(over(channel, notified), path, told, notify);
  });
});

describe("by each medium's own measure is refused", () => {
  const url = (length: number) => `https://x.example/${"a".repeat(length - 18)}`;
  it.each<[string, Name, Body, string, string]>([
    ["any form", "webhook", form({ a: text }), "/answer_format", "channel webhook"],
    ["a link of 1,601 characters", "sms", media("link", url(1_601)), "/media/0/url", "1600"],
    ["a link of 4,097 characters", "telegram", media("link", url(4_097)), "/media/0/url", "4096"],
    ["a link of 1,025 characters", "whatsapp", media("link", url(1_025)), "/media/0/url", "1024"],
    ["a link of 3,001 characters", "slack", media("link", url(3_001)), "/media/0/url", "3000"],
    ["a picture's address of 3,001 characters", "slack", media("image", url(3_001)), "/media/0/url", "3000"],
    [
      "an external link of 1,601 characters",
      "sms",
      { answer_format: "external", link: `${url(1_601)}?r={callback_url}` },
      "/link",
      "1600",
    ],
    [
      "200 options of 512 characters",
      "sms",
      { answer_format: "select", options: texts(200, (at) => `${at} ${"x".repeat(500)}`) },
      "/options",
      "at most 20",
    ],
    ["a person by no number", "whatsapp", { recipient: "ada" }, "/recipient", "phone number"],
    ["a person by no id", "telegram", { recipient: "+1" }, "/recipient", "telegram"],
    ["a person by no name", "slack", { recipient: "a b" }, "/recipient", "slack"],
    [
      "an origin that is not listed",
      "webhook",
      { recipient: "https://x.example" },
      "/recipient",
      "WEBHOOK_ALLOWED_ORIGINS",
    ],
  ])("%s over %s", async (_what, channel, body, path, told) => {
    await expectRefused(over(channel, body), path, told);
  });
});

function messagesIn(channel: ChatChannel) {
  const all = running.fakes[channel].person.see().conversations;
  return all.find(({ id }) => id === ADA[channel])?.messages ?? [];
}

/** Asks, and gives what the person sees of it. */
async function shown(channel: ChatChannel, body: Body) {
  const before = messagesIn(channel).length;
  const reply = await ask(over(channel, body), { headers: { prefer: "delivered" } });
  expect([reply.status, reply.json]).toMatchObject([201, { delivery: { state: "sent" } }]);
  const messages = messagesIn(channel).slice(before);
  await call(`/api/interactions/${String(reply.json["interaction_id"])}/cancel`, {
    key: running.interlude.keys.asker,
    json: {},
  });
  return messages;
}

/** Words by number, so that a lost one shows whatever becomes of the spaces between them. */
const words = (count: number) => texts(count, (at) => `w${at}`);
const wordsOf = (text: string) => text.match(/\bw\d+\b/g) ?? [];

describe.each(CHAT_CHANNELS)("what is long reaches the person whole over %s:", (channel) => {
  it("a question of 8,192 characters", async () => {
    const question = words(1_300).join(" ").padEnd(8_192, "!");
    const messages = await shown(channel, { question });
    expect(messages.flatMap((message) => wordsOf(message.text))).toEqual(words(1_300));
    expect(
      messages
        .map((message) => message.text)
        .join("")
        .split("!"),
    ).toHaveLength(question.split("!").length);
  });

  it("a caption of 1,000 characters", async () => {
    const caption = words(200).join(" ").padEnd(1_000, "!");
    const messages = await shown(channel, media("document", "https://x.example/1.pdf", { caption }));
    const seen = messages.flatMap((message) => wordsOf(JSON.stringify(message).replaceAll("\\n", " ")));
    expect([...new Set(seen)]).toEqual(words(200));
  });

  it("options of 512 characters, by numbers", async () => {
    const options = texts(3, (at) => `${at}${words(90).join(" ")}`.padEnd(512, "!"));
    const messages = await shown(channel, { answer_format: "select", options });
    const seen = messages.map((message) => message.text).join("\n");
    for (const option of options) expect(seen.replace(/\s+/g, " ")).toContain(option);
    expect(messages.flatMap(({ controls = [] }) => controls)).toEqual([]);
  });
});

/** Whether the question leads to the page that Interlude serves. */
const isPage = (messages: Awaited<ReturnType<typeof shown>>) =>
  JSON.stringify(messages).includes(`${running.interlude.url}/api/interactions/callback/`);

describe.each(CHAT_CHANNELS)(
  "a form that the medium's own cannot hold is a page over %s, with",
  (channel) => {
    it.each<[string, Body]>([
      ["an enum of 201", form({ a: { type: "string", enum: texts(201) } })],
      ["a choice of 76 characters", form({ a: { type: "string", enum: ["x".repeat(76)] } })],
      ["100 properties", form(Object.fromEntries(texts(100).map((name) => [name, text])))],
      ["a prefill of 3,001 characters", { ...form({ a: text }), data: { values: { a: "x".repeat(3_001) } } }],
    ])("%s", async (_what, body) => {
      expect(isPage(await shown(channel, body))).toBe(true);
    });
  },
);

it.each<[string, Body]>([
  ["an enum of 101", form({ a: { type: "string", enum: texts(101) } })],
  ["a label of 2,001 characters", form({ a: { type: "string", title: "x".repeat(2_001) } })],
])("what a modal cannot hold is a page over slack: %s", async (_what, body) => {
  expect(isPage(await shown("slack", body))).toBe(true);
});

it.each(["slack", "whatsapp"] as const)(
  "names that %s keeps to itself are names like others",
  async (channel) => {
    const messages = await shown(channel, form({ flow_token: text, private_metadata: text, field_1: text }));
    expect(isPage(messages)).toBe(false);
    expect(messages.at(-1)?.controls).toMatchObject([{ kind: "tap", label: "Fill in the form" }]);
  },
);

describe("an external question", () => {
  const verifier = { name: "github", config: { secret_ref: "signer" } };
  const link = "https://pay.example/?return={callback_url}";

  it.each(CHAT_CHANNELS)("leads over %s to its link, or else to its page", async (channel) => {
    expect(isPage(await shown(channel, { answer_format: "external" }))).toBe(true);
    const linked = JSON.stringify(await shown(channel, { answer_format: "external", link, verifier }));
    expect(linked).toContain("https://pay.example/?return=");
  });
});
