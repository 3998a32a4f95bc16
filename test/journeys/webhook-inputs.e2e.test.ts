import { type Log, openLog } from "@interlude/event-log";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  messageBody,
  PROVIDER_VARIABLES,
  type ProviderName,
  signedHeaders,
  type Signing,
  whatsAppBody,
} from "../support/provider-webhooks.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const PROVIDERS = ["slack", "telegram", "sms", "whatsapp"] as const;

let interlude: Interlude;
let log: Log;
beforeAll(async () => {
  interlude = await startInterlude({ env: PROVIDER_VARIABLES });
  log = await openLog({ url: interlude.nats.url, service: "witness" });
});
afterAll(async () => {
  await log.close();
  await interlude.stop();
});

const hook = (provider: string) => `${interlude.url}/api/channels/${provider}/webhook`;

async function kept(): Promise<number> {
  return (await log.manager.streams.info("INBOUND")).state.messages;
}

async function deliver(provider: ProviderName, body: string, signing?: Signing): Promise<number> {
  const headers = signedHeaders(provider, body, hook(provider), signing);
  return (await fetch(hook(provider), { method: "POST", headers, body })).status;
}

/** How many updates of the provider came to nothing, by reason. */
async function ignored(provider: string): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${interlude.keys.operator}` };
  const text = await (await fetch(`${interlude.url}/metrics`, { headers })).text();
  const line = new RegExp(
    `^interlude_channel_ignored_total\\{channel="${provider}",reason="([^"]*)"\\} (\\d+)$`,
    "gm",
  );
  return Object.fromEntries(
    [...text.matchAll(line)].map(([, reason = "", count]) => [reason, Number(count)]),
  );
}

/** Nothing that was kept is looked at again and again. */
async function untilAllDecided(): Promise<void> {
  await eventually(
    async () => {
      let open = 0;
      for await (const { num_pending, num_ack_pending } of log.manager.consumers.list("INBOUND")) {
        open += num_pending + num_ack_pending;
      }
      expect(open).toBe(0);
    },
    { withinMs: 20_000 },
  );
}

type Forged = (provider: ProviderName, body: string) => { headers: Record<string, string>; body: string };
const headersOf = (provider: ProviderName, body: string, signing?: Signing) =>
  signedHeaders(provider, body, hook(provider), signing);
const without = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name === "content-type"));
const secondsAgo = (seconds: number) => ({ atSeconds: Math.floor(Date.now() / 1_000) - seconds });

/** Telegram signs no body: whoever has its secret may write what they like. */
const SIGNED_BODIES = PROVIDERS.filter((provider) => provider !== "telegram");
const FORGED: [string, readonly ProviderName[], Forged][] = [
  ["without a signature", PROVIDERS, (name, body) => ({ headers: without(headersOf(name, body)), body })],
  [
    "with another secret",
    PROVIDERS,
    (name, body) => ({ headers: headersOf(name, body, { secret: "guess" }), body }),
  ],
  [
    "with bytes added",
    SIGNED_BODIES,
    (name, body) => ({ headers: headersOf(name, body), body: `${body}&x=1` }),
  ],
  ["cut short", SIGNED_BODIES, (name, body) => ({ headers: headersOf(name, body), body: body.slice(0, -9) })],
  ["empty", SIGNED_BODIES, (name, body) => ({ headers: headersOf(name, body), body: "" })],
  [
    "of five minutes ago",
    ["slack"],
    (name, body) => ({ headers: headersOf(name, body, secondsAgo(301)), body }),
  ],
  [
    "of five minutes ahead",
    ["slack"],
    (name, body) => ({ headers: headersOf(name, body, secondsAgo(-302)), body }),
  ],
  [
    "with a signature that is none",
    PROVIDERS,
    (name, body) => ({
      headers: Object.fromEntries(
        Object.entries(headersOf(name, body)).map(([key, value]) => [
          key,
          key === "content-type" ? value : "%00\u00ff",
        ]),
      ),
      body,
    }),
  ],
];

describe("what nobody but the provider may write", () => {
  it.each(FORGED.flatMap(([how, providers, forge]) => providers.map((name) => [name, how, forge] as const)))(
    "of %s %s: one constant 401, and nothing is kept",
    async (provider, _how, forge) => {
      const before = await kept();
      const { headers, body } = forge(provider, messageBody(provider));
      const refused = await fetch(hook(provider), { method: "POST", headers, body });
      expect([refused.status, await refused.text(), refused.headers.get("content-type")]).toEqual([
        ...[401, "", "text/plain; charset=utf-8"],
      ]);
      expect(refused.headers.get("x-request-id")).toBeNull();
      expect(await kept()).toBe(before);
    },
  );

  it.each(PROVIDERS)("of %s, however well signed: 413 above 3 MiB, and nothing is kept", async (provider) => {
    const before = await kept();
    const body = `${messageBody(provider)}${" ".repeat(3 * 1_048_576)}`;
    expect(await deliver(provider, body)).toBe(413);
    expect(await kept()).toBe(before);
  });

  it("of a channel that there is not: 404", async () => {
    expect((await fetch(hook("pigeon"), { method: "POST", body: "{}" })).status).toBe(404);
  });
});

describe("an update that comes again", () => {
  it.each(PROVIDERS)("over %s is taken, and kept once", async (provider) => {
    const before = await kept();
    const body = messageBody(provider);
    const statuses = await Promise.all([1, 2, 3, 4].map(() => deliver(provider, body)));
    expect([...statuses, await deliver(provider, body)]).toEqual([200, 200, 200, 200, 200]);
    expect(await kept()).toBe(before + 1);
  });
});

const KEPT = "kept";
const UNKNOWN = { new_field: { nested: [1, null, {}] }, another: null };
const WORDS = "Да 👨‍👩‍👧‍👦 \u202eנעם\u202c \u200f✓ عربى \u0000 end";

/** What a delivery that holds nothing is counted as. */
const NOTHING = {
  slack: "no event",
  telegram: "no update",
  sms: "no MessageSid",
  whatsapp: "no delivery of messages",
} as const;

const statusOf = (MessageSid: string, ErrorCode = "30003") =>
  messageBody("sms", { MessageSid, MessageStatus: "failed", ErrorCode });

/** What a provider may tell of: kept for whoever decides, or counted with the reason. */
const PAYLOADS: [ProviderName, string, () => string, string][] = [
  ...PROVIDERS.flatMap((name): [ProviderName, string, () => string, string][] => {
    const text = { slack: "text", telegram: "text", sms: "Body", whatsapp: "" }[name];
    const says = (words: string) => (name === "whatsapp" ? { text: { body: words } } : { [text]: words });
    return [
      [name, "fields that nobody knows", () => messageBody(name, UNKNOWN), KEPT],
      [
        name,
        "other scripts, emoji, marks of direction and a NUL",
        () => messageBody(name, says(WORDS)),
        KEPT,
      ],
      [name, "half a character", () => messageBody(name, says("half \ud83d")), KEPT],
      [name, "4096 emoji", () => messageBody(name, says("😀".repeat(4_096))), KEPT],
      [name, "a body that is no document", () => "neither JSON nor a form", NOTHING[name]],
      [name, "an empty object", () => (name === "sms" ? "A=" : "{}"), NOTHING[name]],
    ];
  }),
  ["slack", "a message without text", () => messageBody("slack", { text: undefined }), KEPT],
  [
    "slack",
    "a file of no bytes",
    () => messageBody("slack", { subtype: "file_share", text: "", files: [{ id: "F1", size: 0 }] }),
    KEPT,
  ],
  [
    "slack",
    "an edit",
    () => messageBody("slack", { subtype: "message_changed" }),
    "a message of another kind",
  ],
  [
    "slack",
    "a kind of event that nobody knows",
    () => messageBody("slack", { type: "canvas_born" }),
    "an event of another kind",
  ],
  [
    "slack",
    "an interaction that nobody knows",
    () => `payload=${encodeURIComponent('{"type":"block_suggestion"}')}`,
    "an interaction of another kind",
  ],
  [
    "telegram",
    "a message that says nothing",
    () => messageBody("telegram", { text: undefined }),
    "a message that says nothing",
  ],
  [
    "telegram",
    "a file of no bytes",
    () => messageBody("telegram", { text: undefined, document: { file_id: "f", file_size: 0 } }),
    KEPT,
  ],
  [
    "telegram",
    "a game that nobody knows",
    () => messageBody("telegram", { text: undefined, game: { title: "x" } }),
    "a message that says nothing",
  ],
  [
    "telegram",
    "an update that nobody knows",
    () => '{"update_id":900000,"chat_boost":{}}',
    "an update of another kind",
  ],
  ["telegram", "a time beyond all times", () => messageBody("telegram", { date: 1e308 }), "unreadable"],
  ["telegram", "an id beyond all numbers", () => '{"update_id":1e40,"message":{}}', "no update"],
  ["sms", "a message without text", () => messageBody("sms", { Body: "" }), KEPT],
  [
    "sms",
    "a picture of no bytes",
    () =>
      messageBody("sms", {
        Body: "",
        NumMedia: "1",
        MediaUrl0: "https://m.example/0",
        MediaContentType0: "",
      }),
    KEPT,
  ],
  [
    "sms",
    "a status that nobody knows",
    () => messageBody("sms", { MessageStatus: "pondering" }),
    "a status that says nothing new",
  ],
  ["sms", "a status of an id beyond measure", () => statusOf("S".repeat(700_000)), "too_large"],
  ["sms", "a status with a code beyond measure", () => statusOf("SM0", "9".repeat(700_000)), "too_large"],
  [
    "sms",
    "a message of an id beyond measure",
    () => messageBody("sms", { MessageSid: "S".repeat(300_000) }),
    "too_large",
  ],
  ["sms", "a status of no message of ours", () => messageBody("sms", { MessageStatus: "delivered" }), KEPT],
  ["sms", "no sender", () => messageBody("sms", { From: "" }), "no sender"],
  ["whatsapp", "a message without text", () => messageBody("whatsapp", { text: undefined }), KEPT],
  [
    "whatsapp",
    "a kind of message that nobody knows",
    () => messageBody("whatsapp", { type: "hologram", text: undefined, hologram: {} }),
    KEPT,
  ],
  [
    "whatsapp",
    "a picture of no bytes",
    () => messageBody("whatsapp", { type: "image", text: undefined, image: { id: "i", sha256: "" } }),
    KEPT,
  ],
  [
    "whatsapp",
    "a reaction",
    () => messageBody("whatsapp", { type: "reaction", text: undefined }),
    "a reaction",
  ],
  [
    "whatsapp",
    "a message that cannot be read",
    () => whatsAppBody({ messages: [{ id: 7 }] }),
    "a message that cannot be read",
  ],
  [
    "whatsapp",
    "another number's message",
    () => whatsAppBody({ metadata: { phone_number_id: "43" } }),
    "for another number",
  ],
  [
    "whatsapp",
    "a status that nobody knows",
    () => whatsAppBody({ statuses: [{ id: "wamid.0", status: "pondered" }] }),
    "a status that says nothing new",
  ],
];

describe("what a provider tells of", () => {
  it.each(PAYLOADS)(
    "over %s, %s: is kept, or counted with the reason",
    async (provider, _what, body, outcome) => {
      const [before, counted] = [await kept(), await ignored(provider)];
      expect(await deliver(provider, body())).toBe(200);
      expect(await kept()).toBe(before + (outcome === KEPT ? 1 : 0));
      if (outcome === KEPT) return;
      const now = await ignored(provider);
      expect(now[outcome] ?? 0, JSON.stringify(now)).toBe((counted[outcome] ?? 0) + 1);
    },
  );

  it("is decided, all of it, and the next message is taken as ever", async () => {
    await untilAllDecided();
    for (const provider of PROVIDERS) expect(await deliver(provider, messageBody(provider))).toBe(200);
    await untilAllDecided();
    for (const provider of PROVIDERS) expect((await ignored(provider))["no_route"]).toBeGreaterThan(0);
    expect((await fetch(`${interlude.url}/readyz`)).status).toBe(200);
  });
});

describe("a message that no event could hold", () => {
  it.each(PROVIDERS)("over %s is counted, and the provider need not repeat it", async (provider) => {
    const before = await kept();
    const counted = (await ignored(provider))["too_large"] ?? 0;
    const text = "x".repeat(2 * 1_048_576);
    const more = {
      slack: { text },
      telegram: { text },
      sms: { Body: text },
      whatsapp: { text: { body: text } },
    };
    expect(await deliver(provider, messageBody(provider, more[provider]))).toBe(200);
    expect(await kept()).toBe(before);
    expect((await ignored(provider))["too_large"]).toBe(counted + 1);
  });
});
