import { createHmac } from "node:crypto";
import { type Client, connect, type Driver, type Turn } from "@interlude/sdk";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AllChannels, CHAT_CHANNELS, type ChatChannel } from "../support/all-channels.ts";
import { ADA, redeliver, shown, startAllChats } from "../support/all-chats.ts";

const TAPPED = ["slack", "telegram", "whatsapp"] as const;
const GROUPS = { slack: "C0OPS", telegram: "-2001" } as const;

let chats: AllChannels;
let client: Client;
let driver: Driver;
const turns: Turn[] = [];
beforeAll(async () => {
  chats = await startAllChats();
  client = connect({ url: chats.interlude.url, apiKey: chats.interlude.apiKey });
  driver = await client.driver({
    ...{ name: "echo", checkpointer: { kind: "postgres" } },
    turn: ({ turn }) => {
      turns.push(turn);
      return { say: `heard ${turn.text}` };
    },
  });
});
afterAll(async () => {
  await driver.stop();
  await client.close();
  await chats.stop();
});
beforeEach(() => {
  turns.length = 0;
});

const told = (channel: ChatChannel, rest: object) =>
  client.notifyUser({ message: "", channel, recipient: ADA[channel], ...rest });

/** Says something after it, which is a turn behind everything that was said before. */
async function untilHeard(channel: ChatChannel, last: string): Promise<void> {
  await chats.fakes[channel].person.type({ conversation: ADA[channel], text: last });
  await eventually(() => {
    expect(turns.at(-1)?.text).toBe(last);
  });
}

const OPTIONS = ["Thanks", { value: "more-details", label: "Tell me more" }];

describe.each(TAPPED)("a reply that is tapped on a notification over %s", (channel) => {
  it("is a turn of the route, once, with what it stands for", async () => {
    await told(channel, { message: `Build done on ${channel}.`, options: OPTIONS });
    const message = await shown(chats, channel, `Build done on ${channel}.`);
    expect(message.controls?.map(({ label }) => label)).toEqual(["Thanks", "Tell me more"]);
    await chats.fakes[channel].person.tap({
      ...{ conversation: ADA[channel], message: message.id, control: "Tell me more" },
    });
    await redeliver(chats, channel);
    await untilHeard(channel, "that was all");
    expect(turns).toMatchObject([
      { channel, thread: ADA[channel], text: "Tell me more", params: { reply_id: "more-details" } },
      { text: "that was all" },
    ]);
    expect(turns[1]?.params).toBeUndefined();
    await shown(chats, channel, "heard Tell me more");
  });

  it("is no answer to a question that is open there", async () => {
    const asked = client.askUser({
      ...{ question: "And what now?", channel, recipient: ADA[channel], timeoutSeconds: 60 },
    });
    await shown(chats, channel, "And what now?");
    await told(channel, { message: "By the way.", options: OPTIONS });
    const message = await shown(chats, channel, "By the way.");
    await chats.fakes[channel].person.tap({
      ...{ conversation: ADA[channel], message: message.id, control: "Thanks" },
    });
    await eventually(() => {
      expect(turns).toMatchObject([{ text: "Thanks", params: { reply_id: "Thanks" } }]);
    });
    await chats.fakes[channel].person.type({ conversation: ADA[channel], text: "we wait" });
    expect(await asked).toBe("we wait");
  });

  it("is read where it is longer than a button may be, and typed", async () => {
    const long = "a reply that no button of any medium could show whole ".repeat(4).trim();
    await told(channel, { message: "Choose.", options: [long, "b"] });
    if (channel === "telegram") return;
    const message = await shown(chats, channel, "Choose.");
    expect(message.controls ?? []).toEqual([]);
    expect(message.text).toContain(`- ${long}\n- b`);
  });
});

it("a reply is taken where the person was told by another name of the chat", async () => {
  await told("slack", { message: "By your own id.", recipient: "U0ADA", options: OPTIONS });
  const { id } = await shown(chats, "slack", "By your own id.");
  // It may outrun what says that the two are one.
  await chats.fakes.slack.person.tap({ conversation: ADA.slack, message: id, control: "Thanks" });
  await eventually(() => {
    expect(turns).toMatchObject([{ channel: "slack", text: "Thanks" }]);
  });
  await shown(chats, "slack", "heard Thanks");
});

describe("a reply that is tapped in a group", () => {
  it.each(Object.entries(GROUPS))("in %s is answered under the notification", async (name, group) => {
    const channel = name === "slack" ? "slack" : "telegram";
    await told(channel, { message: "For all of you.", recipient: group, options: OPTIONS });
    const { id } = await shown(chats, channel, "For all of you.", group);
    await chats.fakes[channel].person.tap({ conversation: group, message: id, control: "Thanks" });
    expect((await shown(chats, channel, "heard Thanks", group)).replyTo).toBe(id);
    expect(turns).toMatchObject([{ thread: group, text: "Thanks" }]);
  });
});

it("replies that cannot be tapped are read over SMS, and typed", async () => {
  await told("sms", { message: "Build done.", options: OPTIONS });
  const message = await shown(chats, "sms", "Build done.");
  expect(message.text).toBe("Build done.\n\n- Thanks\n- Tell me more");
  await untilHeard("sms", "Tell me more");
  expect(turns[0]?.params).toBeUndefined();
});

describe("what comes with what a person writes in WhatsApp", () => {
  let updates = 0;
  async function say(content: object): Promise<void> {
    const { appSecret, phoneNumberId } = chats.fakes.whatsapp;
    const id = `wamid.own.${++updates}`;
    const body = JSON.stringify({
      object: "whatsapp_business_account",
      entry: [
        {
          id: "1",
          changes: [
            {
              field: "messages",
              value: {
                metadata: { phone_number_id: phoneNumberId },
                messages: [{ id, from: ADA.whatsapp, timestamp: "1764669600", ...content }],
              },
            },
          ],
        },
      ],
    });
    const signature = createHmac("sha256", appSecret).update(body).digest("hex");
    const response = await fetch(`${chats.interlude.url}/api/channels/whatsapp/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` },
      body,
    });
    expect(response.status).toBe(200);
  }

  it.each<[string, object, object]>([
    [
      "a template's button",
      { type: "button", button: { text: "Start", payload: "START:7" } },
      { text: "Start", params: { payload: "START:7" } },
    ],
    ["a button without a payload", { type: "button", button: { text: "Go", payload: "" } }, { text: "Go" }],
    [
      "an advertisement that led there",
      {
        type: "text",
        text: { body: "hi" },
        referral: {
          source_type: "ad",
          source_id: "12",
          headline: "",
          body: "x".repeat(513),
          nested: { a: 1 },
        },
      },
      { text: "hi", params: { referral_source_type: "ad", referral_source_id: "12" } },
    ],
  ])("reaches the driver: %s", async (_what, content, expected) => {
    await say(content);
    await eventually(() => {
      expect(turns).toMatchObject([expected]);
    });
    const params = "params" in expected ? expected.params : undefined;
    expect(turns[0]?.params).toEqual(params);
  });
});

describe.each(CHAT_CHANNELS)("what a person sends over %s", (channel) => {
  it.each(["image", "document"] as const)("as %s reaches the driver with its words", async (kind) => {
    const contentType = kind === "image" ? "image/png" : "application/pdf";
    await chats.fakes[channel].person.sendMedia({
      ...{ conversation: ADA[channel], kind, url: "https://files.example/f", caption: "look", contentType },
    });
    await eventually(() => {
      expect(turns).toMatchObject([{ channel, text: "look", media: [{ kind }] }]);
    });
    const [media] = turns[0]?.media ?? [];
    expect(media?.url ?? media?.id).toEqual(expect.any(String));
    // Telegram does not say it of a photo, nor always of a file.
    if (channel !== "telegram") expect(media?.contentType).toBe(contentType);
  });
});
