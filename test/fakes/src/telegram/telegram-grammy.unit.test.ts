import { Api, type ApiClientOptions, GrammyError, HttpError, InlineKeyboard, InputFile } from "grammy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../core/receiver.ts";
import { startTelegramFake, type TelegramFake } from "./start-telegram-fake.ts";

let fake: TelegramFake;
let receiver: Receiver;
let api: Api;
beforeEach(async () => {
  [fake, receiver] = await Promise.all([startTelegramFake(), startReceiver()]);
  const options = { apiRoot: fake.apiUrl, timeoutSeconds: 10 } satisfies ApiClientOptions;
  api = new Api(fake.token, options);
});
afterEach(async () => {
  await Promise.all([fake.stop(), receiver.stop()]);
});

const SECRET = "a-secret_token";
const listen = () => api.setWebhook(`${receiver.url}/hook`, { secret_token: SECRET });
const last = (): unknown => JSON.parse(receiver.received.at(-1)?.rawBody.toString() ?? "null");
const error = async (work: Promise<unknown>): Promise<GrammyError> => {
  const caught: unknown = await work.catch((each: unknown) => each);
  if (caught instanceof GrammyError) return caught;
  throw new Error(`no GrammyError: ${String(caught)}`);
};

describe("the Telegram fake, driven by grammy", () => {
  it("delivers a tap with the secret, and shows its acknowledgement", async () => {
    await listen();
    const reply_markup = new InlineKeyboard().text("Yes", "ref:yes").text("No", "ref:no");
    const sent = await api.sendMessage(1001, "Go?", { reply_markup });
    await fake.person.tap({ conversation: "1001", message: String(sent.message_id), control: "Yes" });
    expect(receiver.received.at(-1)?.header("x-telegram-bot-api-secret-token")).toBe(SECRET);
    expect(last()).toMatchObject({
      callback_query: {
        data: "ref:yes",
        from: { id: 1001 },
        message: { message_id: sent.message_id, text: "Go?" },
      },
    });
    const { id } = (last() as { callback_query: { id: string } }).callback_query;
    await api.answerCallbackQuery(id, { text: "Thank you" });
    expect(fake.tapAnswers()).toEqual([{ text: "Thank you", showAlert: false }]);

    await api.editMessageText(1001, sent.message_id, "Yes, by Ada");
    const same = await error(api.editMessageText(1001, sent.message_id, "Yes, by Ada"));
    expect(same.description).toMatch(/message is not modified/);
    expect(fake.person.see().conversations[0]?.messages[0]).toMatchObject({ isEdited: true, controls: [] });
  });

  it("delivers what is typed in reply, and in a group only what is for the bot", async () => {
    await listen();
    const sent = await api.sendMessage(-2001, "Which room?", { reply_markup: { force_reply: true } });
    const replyTo = String(sent.message_id);
    expect((await fake.person.type({ conversation: "-2001", text: "lunch?" })).deliveries).toEqual([]);
    await fake.person.type({ conversation: "-2001", text: "Room 5", replyTo, as: "Bo" });
    expect(last()).toMatchObject({
      message: { text: "Room 5", from: { id: 1002 }, reply_to_message: { message_id: sent.message_id } },
    });
    await fake.person.sendMedia({
      conversation: "1001",
      kind: "image",
      url: "https://a.example/a.png",
      caption: "look",
    });
    expect(last()).toMatchObject({ message: { caption: "look", photo: [{ file_id: "file-1" }] } });
  });

  it("takes files by address, by id and as uploads", async () => {
    const photo = await api.sendPhoto(1001, "https://files.example/a.png", { caption: "The plan" });
    const again = await api.sendPhoto(1001, photo.photo[0]?.file_id ?? "");
    expect(again.photo[0]?.file_id).toBe(photo.photo[0]?.file_id);
    const upload = await api.sendDocument(1001, new InputFile(Buffer.from("hello"), "a.txt"));
    const { file_path } = await api.getFile(upload.document.file_id);
    const bytes = await fetch(`${fake.url}/file/bot${fake.token}/${file_path ?? ""}`);
    expect(await bytes.text()).toBe("hello");
    const group = await api.sendMediaGroup(1001, [
      { type: "photo", media: "https://files.example/a.png" },
      { type: "photo", media: new InputFile(Buffer.from("png"), "b.png") },
    ]);
    expect(group).toHaveLength(2);
  });

  it("says where a group went that became a supergroup", async () => {
    const moved = await fake.upgradeGroup(-2001);
    const refused = await error(api.sendMessage(-2001, "Go?"));
    expect(refused.parameters).toEqual({ migrate_to_chat_id: moved });
    await api.sendMessage(moved, "Go?");
  });

  it("refuses a chat that has blocked the bot, and polling beside a webhook", async () => {
    await fake.block(1002);
    expect(await error(api.sendMessage(1002, "a"))).toMatchObject({ error_code: 403 });
    await listen();
    expect(await error(api.getUpdates())).toMatchObject({ error_code: 409 });
  });

  it("keeps updates until a webhook is set, and leaves out what was not asked for", async () => {
    await fake.person.type({ conversation: "1001", text: "hello" });
    expect(await api.getUpdates()).toMatchObject([{ message: { text: "hello" } }]);
    const sent = await api.sendMessage(1001, "a");
    const on = { conversation: "1001", message: String(sent.message_id), emoji: "👍" };
    expect((await fake.person.react(on)).deliveries).toEqual([]);
    await api.setWebhook(`${receiver.url}/hook`, { allowed_updates: ["message_reaction"] });
    await fake.webhooks.idle();
    expect(receiver.received).toHaveLength(1);
    expect((await fake.person.react(on)).deliveries).toHaveLength(1);
  });

  it("limits rates for a chat and for all of them, with the seconds to wait", async () => {
    fake.limitRates({ perConversation: { count: 1, perMs: 1000 }, overall: { count: 2, perMs: 3000 } });
    await api.sendMessage(1001, "a");
    expect((await error(api.sendMessage(1001, "b"))).parameters.retry_after).toBe(1);
    await api.sendMessage(1002, "c");
    expect((await error(api.sendMessage(-2001, "d"))).parameters.retry_after).toBeGreaterThan(1);
    fake.advanceClock(3001);
    await api.sendMessage(1001, "e");
  });

  it("fails as told, and loses an answer after having sent", async () => {
    fake.fault({ kind: "fail", status: 429, retryAfterSeconds: 7, operation: "sendMessage" });
    expect((await error(api.sendMessage(1001, "a"))).parameters).toEqual({ retry_after: 7 });
    fake.fault({ kind: "drop", when: "before" });
    fake.fault({ kind: "drop", when: "after" });
    await expect(api.sendMessage(1001, "b")).rejects.toBeInstanceOf(HttpError);
    await expect(api.sendMessage(1001, "c")).rejects.toBeInstanceOf(HttpError);
    fake.fault({ kind: "answer", status: 502, body: "<html>Bad Gateway</html>" });
    await expect(api.sendMessage(1001, "d")).rejects.toBeInstanceOf(HttpError);
    expect(fake.requests.map(({ wasCarriedOut }) => wasCarriedOut)).toEqual([false, false, true, false]);
    expect(fake.person.see().conversations[0]?.messages.map(({ text }) => text)).toEqual(["c"]);
  });
});
