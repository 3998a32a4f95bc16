import type { OutgoingQuestion } from "@interlude/channel-kit";
import { channelContract, goldenNotifications, goldenQuestions } from "@interlude/channel-kit/testing";
import { describe, expect, it } from "vitest";
import { createTelegramChannel, readTelegramConfig } from "./index.ts";
import { LIMITS } from "./limits.ts";

const ENVIRONMENT = { TELEGRAM_BOT_TOKEN: "123456:AA-bb_cc", TELEGRAM_WEBHOOK_SECRET: "hook-secret" };
const make = (environment: Record<string, string> = {}) => {
  const setup = readTelegramConfig({ ...ENVIRONMENT, ...environment });
  if (setup.state !== "set") return expect.fail(setup.state);
  return createTelegramChannel(setup.config);
};
const channel = make();
const person = "4242";
const group = "-1001234567890";
const golden = (value: unknown, name: string) =>
  expect(`${JSON.stringify(value, undefined, 2)}\n`).toMatchFileSnapshot(`../golden/${name}.json`);

const buttonsOf = (body: object): { text: string; callback_data?: string; url?: string }[] =>
  JSON.stringify(body).includes("inline_keyboard")
    ? (
        body as { reply_markup: { inline_keyboard: { text: string; callback_data?: string }[][] } }
      ).reply_markup.inline_keyboard.flat()
    : [];
const readable = (_: string, body: object) => {
  const { text, caption } = body as { text?: string; caption?: string };
  return [text, caption, ...buttonsOf(body).map((button) => button.text)].join("\n");
};

channelContract("telegram", { make, recipient: person, readable });

const base = {
  question: "q",
  reference: "ref",
  recipient: person,
  pageUrl: "https://ask.example/x",
  deadlineMs: 0,
};
const labels = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `o${index}`.padEnd(length, "x"));
const last = (question: OutgoingQuestion, on = channel) => on.render(question).requests.at(-1)?.body ?? {};

describe("a question on Telegram", () => {
  it.each(goldenQuestions(person))("is the one of the golden file for %s", async (name, question) => {
    await golden(channel.render(question), name);
  });

  it.each(goldenQuestions(group).filter(([name]) => ["text", "form", "select-of-numbers"].includes(name)))(
    "in a group is the one of the golden file for %s",
    async (name, question) => {
      await golden(channel.render(question), `group-${name}`);
    },
  );

  it.each(goldenNotifications(person))("tells the golden %s", async (name, notification) => {
    await golden(channel.renderNotification(notification), name);
  });

  it.each<[number, number, string, string]>([
    [1, 2, "buttons", "buttons"],
    [60, 4, "buttons", "buttons"],
    [2, LIMITS.BUTTON_MAX_CHARS, "buttons", "buttons"],
    [2, LIMITS.BUTTON_MAX_CHARS + 1, "numbered", "text"],
    [LIMITS.KEYBOARD_MAX_BUTTONS, 4, "buttons", "buttons"],
    [LIMITS.KEYBOARD_MAX_BUTTONS, 60, "numbered", "text"],
    [LIMITS.KEYBOARD_MAX_BUTTONS + 1, 4, "numbered", "text"],
  ])(
    "with %i options of %i characters is %s, and with suggested replies %s",
    (count, length, shape, suggested) => {
      const common = { ...base, reference: "0198c1d2-0000-7000-8000-000000000000" };
      const options = labels(count, length);
      expect(channel.render({ ...common, format: "select", options })).toMatchObject({ shape });
      expect(channel.render({ ...common, format: "text", options })).toMatchObject({ shape: suggested });
    },
  );

  it("A-OUT-1 A-OUT-5: has opaque buttons of at most 64 bytes, whatever the label", () => {
    const options = ["Дизайн и медиа, договор номер 1234567890", "👨‍👩‍👧‍👦".repeat(5), "B"];
    const reference = "k_".padEnd(59, "x");
    const buttons = buttonsOf(last({ ...base, reference, format: "select", options }));
    expect(buttons.map(({ text }) => text)).toEqual(options);
    expect(buttons.map(({ callback_data }) => callback_data)).toEqual(
      [0, 1, 2].map((index) => `${reference}:${index}`),
    );
    for (const { callback_data } of buttons) {
      expect(Buffer.byteLength(callback_data ?? "")).toBeLessThanOrEqual(LIMITS.CALLBACK_DATA_MAX_BYTES);
    }
  });

  it("A-OUT-4: is shown exactly, without any markup", () => {
    const question = "Send to first_name.last_name@example.com? (cost: *5-10* [est.] `x)";
    const body = last({ ...base, format: "text", question });
    expect(body["text"]).toBe(question);
    expect(body).not.toHaveProperty("parse_mode");
  });

  it("opens a form inside Telegram in private chats over https only", () => {
    const form = { format: "form" as const, schema: {} };
    const button = (rest: object) => buttonsOf(last({ ...base, ...form, ...rest }))[0];
    expect(button({})).toHaveProperty("web_app");
    expect(button({ recipient: group })).toHaveProperty("url");
    expect(button({ recipient: "@team" })).toHaveProperty("url");
    expect(button({ pageUrl: "http://127.0.0.1:8787/x" })).toHaveProperty("url");
  });

  it("of 8192 characters is parts, the last with the buttons", () => {
    const { requests } = channel.render({ ...base, format: "confirm", question: "x".repeat(8192) });
    expect(requests).toHaveLength(2);
    expect(requests.map(({ body }) => buttonsOf(body).length)).toEqual([0, 2]);
  });

  it("has files that Telegram does not take by their address as links", () => {
    const url = "https://a.example/f";
    const media = [
      { kind: "document" as const, url, filename: "a.docx" },
      { kind: "document" as const, url: `${url}.PDF` },
      { kind: "audio" as const, url: `${url}.ogg` },
      { kind: "audio" as const, url },
    ];
    const { requests } = channel.render({ ...base, format: "text", media });
    expect(requests.map(({ method }) => method)).toEqual(["sendDocument", "sendAudio", "sendMessage"]);
    expect(requests[2]?.body["text"]).toBe(`q\n\na.docx: ${url}\n${url}.ogg`);
  });

  it("has a caption too long for its place as a message behind it", () => {
    const media = [{ kind: "image" as const, url: "https://a.example/1", caption: "😀".repeat(600) }];
    const [photo, caption] = channel.render({ ...base, format: "text", media }).requests;
    expect(photo?.body).not.toHaveProperty("caption");
    expect(caption?.body["text"]).toBe("😀".repeat(600));
  });

  it("is refused when asked where it would not arrive whole", () => {
    const url = `https://a.example/${"x".repeat(4_096)}`;
    const paths = (content: object) =>
      channel
        .check({ format: "confirm", question: "q", recipient: person, ...content })
        .map((fault) => fault.path);
    expect(paths({ media: [{ kind: "link", url }] })).toEqual(["/media/0/url"]);
    expect(paths({ media: [{ kind: "image", url }] })).toEqual([]);
    expect(paths({ format: "select", options: labels(200, 512) })).toEqual(["/options"]);
    expect(
      channel.checkNotification({ message: "m", recipient: "x y", media: [{ kind: "link", url }] }),
    ).toHaveLength(2);
  });

  it("is addressed in one spelling", () => {
    expect(channel.address("@My_Team")).toBe("@my_team");
    expect(channel.address(group)).toBe(group);
    expect(last({ ...base, format: "text" })["chat_id"]).toBe(4242);
    expect(last({ ...base, format: "text", recipient: "@team" })["chat_id"]).toBe("@team");
  });
});

describe("a question on Telegram that has ended", () => {
  const sent = (question: string) => ({
    question: { ...base, format: "confirm" as const, question },
    address: person,
    messageId: "17",
  });

  it("says how, and has no buttons any more", () => {
    expect(channel.renderEnd(sent("Go?"), { status: "answered", answer: "Yes" })).toEqual([
      {
        method: "editMessageText",
        body: {
          chat_id: 4242,
          message_id: 17,
          text: "Go?\n\nAnswered: Yes",
          link_preview_options: { is_disabled: true },
        },
      },
    ]);
  });

  it("says it behind the question where both do not fit", () => {
    const requests = channel.renderEnd(sent("x".repeat(4_090)), { status: "expired" });
    expect(requests.map(({ method }) => method)).toEqual(["editMessageReplyMarkup", "sendMessage"]);
    expect(requests[0]?.body).toMatchObject({ reply_markup: { inline_keyboard: [] } });
    expect(requests[1]?.body).toMatchObject({ reply_parameters: { message_id: 17 } });
  });

  it("tells a late tap, to that person alone while it is short", () => {
    const tap = {
      kind: "tap" as const,
      updateId: "1",
      address: person,
      from: person,
      messageId: "17",
      reference: "ref",
      choice: "0",
      acknowledge: { callback_query_id: "77" },
    };
    expect(channel.renderAcknowledge?.(tap)).toEqual([
      { method: "answerCallbackQuery", body: { callback_query_id: "77" } },
    ]);
    expect(channel.renderAcknowledge?.(tap, "over")).toEqual([
      { method: "answerCallbackQuery", body: { callback_query_id: "77", text: "over" } },
    ]);
    expect(channel.renderAcknowledge?.(tap, "x".repeat(201))).toMatchObject([
      { method: "answerCallbackQuery", body: { callback_query_id: "77" } },
      { method: "sendMessage", body: { text: "x".repeat(201) } },
    ]);
  });
});

describe("the variables of telegram", () => {
  it("are named when half of them are set, or one is wrong", () => {
    expect(readTelegramConfig({ TELEGRAM_API_URL: "http://x" })).toEqual({
      state: "half_set",
      missing: Object.keys(ENVIRONMENT),
    });
    expect(readTelegramConfig({ TELEGRAM_BOT_TOKEN: "a/b", TELEGRAM_WEBHOOK_SECRET: "a b" })).toMatchObject({
      state: "invalid",
      faults: { length: 2 },
    });
    expect(make({ TELEGRAM_DEFAULT_RECIPIENT: group }).defaultRecipient).toBe(group);
  });
});
