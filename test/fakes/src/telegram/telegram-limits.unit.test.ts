import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TELEGRAM_LIMITS as LIMITS } from "./limits.ts";
import { startTelegramFake, type TelegramFake } from "./start-telegram-fake.ts";

let fake: TelegramFake;
beforeAll(async () => {
  fake = await startTelegramFake();
});
afterAll(() => fake.stop());

async function call(method: string, body: object): Promise<{ status: number; description?: string }> {
  const response = await fetch(`${fake.url}/bot${fake.token}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const parsed = (await response.json()) as { ok: boolean; error_code?: number; description?: string };
  expect(parsed.ok).toBe(response.status === 200);
  if (!parsed.ok) expect(parsed.error_code).toBe(response.status);
  return { status: response.status, ...(parsed.description === undefined ? {} : parsed) };
}

const x = (count: number): string => "x".repeat(count);
const keyboard = (rows: object[][]): object => ({
  chat_id: 1001,
  text: "Go?",
  reply_markup: { inline_keyboard: rows },
});
const button = (rest: object): object => keyboard([[{ text: "Yes", ...rest }]]);
const rows = (count: number, perRow: number): object[][] =>
  Array.from({ length: Math.ceil(count / perRow) }, (_, row) =>
    Array.from({ length: Math.min(perRow, count - row * perRow) }, () => ({ text: "a", callback_data: "b" })),
  );
const photos = (count: number): object[] =>
  Array.from({ length: count }, () => ({ type: "photo", media: "https://files.example/a.png" }));

type Row = [name: string, max: number, method: string, make: (count: number) => object, refusal: RegExp];
const TABLE: Row[] = [
  ["text", LIMITS.text.max, "sendMessage", (n) => ({ chat_id: 1001, text: x(n) }), /message is too long/],
  [
    "text with formatting, whose marks do not count",
    LIMITS.text.max,
    "sendMessage",
    (n) => ({ chat_id: 1001, text: `<b>${x(n - 1)}</b>&amp;`, parse_mode: "HTML" }),
    /message is too long/,
  ],
  [
    "caption",
    LIMITS.caption.max,
    "sendPhoto",
    (n) => ({ chat_id: 1001, photo: "https://files.example/a.png", caption: x(n) }),
    /caption is too long/,
  ],
  [
    "bytes of callback_data",
    LIMITS.callbackDataBytes.max,
    "sendMessage",
    (n) => button({ callback_data: `é${x(n - 2)}` }),
    /BUTTON_DATA_INVALID/,
  ],
  [
    "copied text",
    LIMITS.copyText.max,
    "sendMessage",
    (n) => button({ copy_text: { text: x(n) } }),
    /COPY_TEXT/,
  ],
  [
    "buttons of a keyboard",
    LIMITS.keyboardButtons.max,
    "sendMessage",
    (n) => keyboard(rows(n, 5)),
    /REPLY_MARKUP_TOO_LONG/,
  ],
  [
    "buttons of a row",
    LIMITS.keyboardRowButtons.max,
    "sendMessage",
    (n) => keyboard(rows(n, n)),
    /REPLY_MARKUP_TOO_LONG/,
  ],
  [
    "bytes of a keyboard",
    LIMITS.keyboardBytes.max,
    "sendMessage",
    (n) => keyboard([[{ text: x(n - 36), callback_data: "ab" }]]),
    /REPLY_MARKUP_TOO_LONG/,
  ],
  [
    "placeholder",
    LIMITS.inputPlaceholder.max,
    "sendMessage",
    (n) => ({ chat_id: 1001, text: "a", reply_markup: { force_reply: true, input_field_placeholder: x(n) } }),
    /PLACEHOLDER/,
  ],
  [
    "media of a group",
    LIMITS.mediaGroup.max,
    "sendMediaGroup",
    (n) => ({ chat_id: 1001, media: photos(n) }),
    /wrong number/,
  ],
  [
    "secret token",
    LIMITS.secretToken.max,
    "setWebhook",
    (n) => ({ url: "https://ask.example/hook", secret_token: x(n) }),
    /secret token is too long/,
  ],
  [
    "connections of a webhook",
    LIMITS.maxConnections.max,
    "setWebhook",
    (n) => ({ url: "https://ask.example/hook", max_connections: n }),
    /max_connections/,
  ],
];

describe("Telegram's limits", () => {
  it.each(TABLE)("takes the longest %s and refuses one more", async (_name, max, method, make, refusal) => {
    expect(await call(method, make(max))).toEqual({ status: 200 });
    expect(await call(method, make(max + 1))).toMatchObject({ status: 400, description: refusal });
  });

  it.each<[string, string, object, number, RegExp]>([
    ["an unknown chat", "sendMessage", { chat_id: 5, text: "a" }, 400, /^Bad Request: chat not found$/],
    ["no chat", "sendMessage", { text: "a" }, 400, /chat_id is empty/],
    ["a blank text", "sendMessage", { chat_id: 1001, text: " \n" }, 400, /message text is empty/],
    ["a misspelt field", "sendMessage", { chat_id: 1001, text: "a", replymarkup: {} }, 400, /replymarkup/],
    ["a button that does nothing", "sendMessage", button({}), 400, /Text buttons are unallowed/],
    [
      "a button that does two things",
      "sendMessage",
      button({ url: "https://a.example", callback_data: "a" }),
      400,
      /exactly one/,
    ],
    [
      "a button to a name without a dot",
      "sendMessage",
      button({ url: "http://localhost:3000/x" }),
      400,
      /Wrong HTTP URL/,
    ],
    [
      "a web app over plain HTTP",
      "sendMessage",
      button({ web_app: { url: "http://a.example" } }),
      400,
      /Only HTTPS/,
    ],
    [
      "a web app in a group",
      "sendMessage",
      { ...button({ web_app: { url: "https://a.example" } }), chat_id: -2001 },
      400,
      /BUTTON_TYPE_INVALID/,
    ],
    [
      "a reply to nothing",
      "sendMessage",
      { chat_id: 1001, text: "a", reply_parameters: { message_id: 999_999 } },
      400,
      /message to be replied not found/,
    ],
    [
      "an open tag",
      "sendMessage",
      { chat_id: 1001, text: "<b>a", parse_mode: "HTML" },
      400,
      /can't parse entities/,
    ],
    [
      "an unknown tag",
      "sendMessage",
      { chat_id: 1001, text: "<x>a</x>", parse_mode: "HTML" },
      400,
      /Unsupported start tag "x" at byte offset 0/,
    ],
    [
      "a bare reserved character",
      "sendMessage",
      { chat_id: 1001, text: "a-b", parse_mode: "MarkdownV2" },
      400,
      /reserved/,
    ],
    ["a group of one", "sendMediaGroup", { chat_id: 1001, media: photos(1) }, 400, /wrong number/],
    [
      "an edit of nothing",
      "editMessageText",
      { chat_id: 1001, message_id: 999_999, text: "a" },
      400,
      /message to edit not found/,
    ],
    ["a tap nobody made", "answerCallbackQuery", { callback_query_id: "9" }, 400, /query is too old/],
    [
      "a secret with a space",
      "setWebhook",
      { url: "https://a.example", secret_token: "a b" },
      400,
      /unallowed characters/,
    ],
    ["a webhook over plain HTTP", "setWebhook", { url: "http://a.example" }, 400, /HTTPS URL/],
    [
      "a webhook on another port",
      "setWebhook",
      { url: "https://a.example:444" },
      400,
      /ports 80, 88, 443 or 8443/,
    ],
    ["an unknown method", "sendMesage", {}, 404, /^Not Found$/],
  ])("refuses %s", async (_name, method, body, status, description) => {
    expect(await call(method, body)).toMatchObject({ status, description });
  });

  it("refuses another bot's token, and what is no token", async () => {
    for (const [token, status] of [
      ["7000001:wrong", 401],
      ["nonsense", 404],
    ] as const) {
      expect((await fetch(`${fake.url}/bot${token}/getMe`)).status).toBe(status);
    }
  });

  it("acknowledges a tap for a while, once, in at most 200 characters", async () => {
    await call("setWebhook", { url: "" });
    const send = async (): Promise<string> => {
      await call("sendMessage", button({ callback_data: "yes" }));
      const message = fake.person
        .see()
        .conversations[0]?.messages.filter(({ controls }) => controls?.length === 1)
        .at(-1);
      await fake.person.tap({ conversation: "1001", message: message?.id ?? "", control: "Yes" });
      return String(4_000_000 + fake.tapAnswers().length - 1);
    };
    const query = await send();
    const answer = (text: string, id = query): ReturnType<typeof call> =>
      call("answerCallbackQuery", { callback_query_id: id, text });
    expect(await answer(x(LIMITS.callbackAnswerText.max + 1))).toMatchObject({ status: 400 });
    expect(await answer(x(LIMITS.callbackAnswerText.max))).toEqual({ status: 200 });
    expect(await answer("again")).toMatchObject({ status: 400, description: /query is too old/ });

    const late = await send();
    fake.advanceClock(LIMITS.callbackLifeMs.max + 1);
    expect(await answer("late", late)).toMatchObject({ status: 400, description: /query is too old/ });
  });

  it("takes an upload up to its size and refuses one more byte", async () => {
    const upload = async (bytes: number): Promise<number> => {
      const form = new FormData();
      form.set("chat_id", "1001");
      form.set("photo", new Blob([new Uint8Array(bytes)]), "a.png");
      return (await fetch(`${fake.url}/bot${fake.token}/sendPhoto`, { method: "POST", body: form })).status;
    };
    expect(await upload(LIMITS.photoUploadBytes.max)).toBe(200);
    expect(await upload(LIMITS.photoUploadBytes.max + 1)).toBe(413);
  });
});
