import { describe, expect, it } from "vitest";
import { createTelegramChannel, readTelegramConfig } from "./index.ts";

const setup = readTelegramConfig({ TELEGRAM_BOT_TOKEN: "123456:AA", TELEGRAM_WEBHOOK_SECRET: "hook-secret" });
const channel = setup.state === "set" ? createTelegramChannel(setup.config) : expect.fail(setup.state);

const delivery = (body: string, secret: string | null = null, method = "POST") => ({
  method,
  url: "/api/channels/telegram/webhook",
  headers: {
    get: (name: string) => (name.toLowerCase() === "x-telegram-bot-api-secret-token" ? secret : null),
  },
  rawBody: Buffer.from(body),
});
const parse = (update: object) =>
  channel.parse(delivery(JSON.stringify({ update_id: 901, ...update }))).inbound;
const from = { id: 42, is_bot: false, first_name: "Ada" };
const chat = { id: 42, type: "private" };
const message = (rest: object) =>
  parse({ message: { message_id: 5, date: 1_764_669_600, chat, from, ...rest } });
const seen = { updateId: "901", address: "42", from: "42" };

describe("what Telegram delivers", () => {
  it("is a text, and the message that it is in reply to", () => {
    expect(message({ text: " yes", reply_to_message: { message_id: 4 } })).toEqual([
      {
        kind: "message",
        ...seen,
        messageId: "5",
        isDirect: true,
        atMs: 1_764_669_600_000,
        text: " yes",
        replyTo: "4",
      },
    ]);
  });

  it("is a message of a group, where a topic's opening is no context", () => {
    const inGroup = { chat: { id: -100, type: "supergroup" }, text: "yes" };
    expect(message({ ...inGroup, reply_to_message: { message_id: 2, forum_topic_created: {} } })).toEqual([
      expect.objectContaining({ address: "-100", from: "42", isDirect: false }),
    ]);
    expect(
      message({ ...inGroup, reply_to_message: { message_id: 2, forum_topic_created: {} } })[0],
    ).not.toHaveProperty("replyTo");
    const anonymous = { id: 1_087_968_824, is_bot: true };
    expect(message({ ...inGroup, from: anonymous, sender_chat: { id: -100 } })).toMatchObject([
      { kind: "message" },
    ]);
  });

  it("is a tap, with what shows that it arrived", () => {
    const tap = { id: "77", from, message: { message_id: 4, chat }, data: "ref-1:12" };
    expect(parse({ callback_query: tap })).toEqual([
      {
        kind: "tap",
        isDirect: true,
        ...seen,
        messageId: "4",
        reference: "ref-1",
        choice: "12",
        acknowledge: { callback_query_id: "77" },
      },
    ]);
  });

  it("is media, the largest size of a picture, with its caption", () => {
    const photo = [{ file_id: "small" }, { file_id: "large" }];
    expect(message({ photo, caption: "look" })).toMatchObject([
      { kind: "message", text: "look", media: [{ kind: "image", id: "large" }] },
    ]);
    expect(message({ voice: { file_id: "v", mime_type: "audio/ogg" } })).toMatchObject([
      { media: [{ kind: "voice", id: "v", contentType: "audio/ogg" }] },
    ]);
    expect(message({ location: { latitude: 1 } })).toMatchObject([{ media: [{ kind: "location" }] }]);
  });

  it.each<[string, object]>([
    ["an edit", { edited_message: { message_id: 5, chat, from, text: "yes" } }],
    ["a reaction", { message_reaction: { chat, message_id: 5 } }],
    ["a member", { my_chat_member: { chat } }],
    ["a channel's post", { channel_post: { message_id: 5, chat, text: "yes" } }],
    ["a tap without a message", { callback_query: { id: "1", from, data: "ref:1" } }],
    ["a tap without data", { callback_query: { id: "1", from, message: { message_id: 4, chat } } }],
    [
      "a tap on a foreign button",
      { callback_query: { id: "1", from, message: { message_id: 4, chat }, data: "x" } },
    ],
    ["a message without an author", { message: { message_id: 5, chat, text: "yes" } }],
    ["a bot's message", { message: { message_id: 5, chat, from: { id: 1, is_bot: true }, text: "yes" } }],
    ["a pinned message", { message: { message_id: 5, chat, from, pinned_message: {} } }],
  ])("A-CHAT-4 A-CHAT-5: never answers by %s", (_, update) => {
    expect(parse(update)).toEqual([expect.objectContaining({ kind: "ignored", updateId: "901" })]);
  });

  it.each(["{}", "[]", "null", "nonsense", ""])("ignores what is no update: %j", (body) => {
    expect(channel.parse(delivery(body)).inbound).toEqual([{ kind: "ignored", reason: "no update" }]);
  });
});

describe("Telegram's secret", () => {
  it.each([
    ["hook-secret", "POST", true],
    ["hook-secret", "GET", false],
    ["Hook-secret", "POST", false],
    ["hook-secre", "POST", false],
    ["", "POST", false],
    [null, "POST", false],
  ])("%j with %s is good: %s", (secret, method, ok) => {
    expect(channel.verify(delivery("{}", secret, method), 0)).toEqual({ ok });
  });
});
