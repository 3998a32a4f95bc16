import { z } from "zod";
import { type Fields, isFields } from "../core/json.ts";
import { exceeds } from "../core/limit.ts";
import { TELEGRAM_LIMITS as LIMITS } from "./limits.ts";
import { badRequest } from "./refusal.ts";
import type { TelegramChat } from "./world.ts";

const Button = z.strictObject({
  text: z.string(),
  url: z.string().optional(),
  callback_data: z.string().optional(),
  web_app: z.strictObject({ url: z.string() }).optional(),
  copy_text: z.strictObject({ text: z.string() }).optional(),
  switch_inline_query: z.string().optional(),
  switch_inline_query_current_chat: z.string().optional(),
  style: z.enum(["danger", "success", "primary"]).optional(),
});
const InlineKeyboard = z.strictObject({ inline_keyboard: z.array(z.array(Button)) });
const ForceReply = z.strictObject({
  force_reply: z.literal(true),
  input_field_placeholder: z.string().optional(),
  selective: z.boolean().optional(),
});
const KeyboardRemove = z.strictObject({
  remove_keyboard: z.literal(true),
  selective: z.boolean().optional(),
});
const KeyboardKey = z.union([z.string(), z.strictObject({ text: z.string() })]);
const ReplyKeyboard = z.strictObject({
  keyboard: z.array(z.array(KeyboardKey)),
  is_persistent: z.boolean().optional(),
  resize_keyboard: z.boolean().optional(),
  one_time_keyboard: z.boolean().optional(),
  input_field_placeholder: z.string().optional(),
  selective: z.boolean().optional(),
});

export type InlineButton = z.infer<typeof Button>;

/** Refuses what Telegram refuses of a `reply_markup`; an inline keyboard without buttons is none. */
export function checkMarkup(given: unknown, chat: TelegramChat, isInlineOnly: boolean): Fields | undefined {
  if (given === undefined) return undefined;
  if (!isFields(given)) throw badRequest("object expected as reply markup");
  if ("inline_keyboard" in given) return checkInlineKeyboard(given, chat);
  if (isInlineOnly) throw badRequest("inline keyboard expected");
  const parsed = z.union([ForceReply, KeyboardRemove, ReplyKeyboard]).safeParse(given);
  if (!parsed.success) throw badRequest(`can't parse reply keyboard markup JSON object`);
  const placeholder = "input_field_placeholder" in parsed.data && parsed.data.input_field_placeholder;
  if (typeof placeholder === "string" && exceeds(LIMITS.inputPlaceholder, placeholder.length)) {
    throw badRequest("INPUT_FIELD_PLACEHOLDER_INVALID");
  }
  return given;
}

function checkInlineKeyboard(given: Fields, chat: TelegramChat): Fields | undefined {
  const parsed = InlineKeyboard.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw badRequest(
      `can't parse inline keyboard button: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
    );
  }
  const rows = parsed.data.inline_keyboard.filter((row) => row.length > 0);
  const buttons = rows.flat();
  if (exceeds(LIMITS.keyboardButtons, buttons.length)) throw badRequest("REPLY_MARKUP_TOO_LONG");
  if (rows.some((row) => exceeds(LIMITS.keyboardRowButtons, row.length))) {
    throw badRequest("REPLY_MARKUP_TOO_LONG");
  }
  if (exceeds(LIMITS.keyboardBytes, Buffer.byteLength(JSON.stringify(rows)))) {
    throw badRequest("REPLY_MARKUP_TOO_LONG");
  }
  for (const button of buttons) checkButton(button, chat);
  return buttons.length === 0 ? undefined : { inline_keyboard: rows };
}

function checkButton(button: InlineButton, chat: TelegramChat): void {
  const { text, style: _style, ...actions } = button;
  if (text.trim() === "")
    throw badRequest("can't parse inline keyboard button: button text must not be empty");
  const count = Object.keys(actions).length;
  if (count === 0) {
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  }
  if (count > 1) throw badRequest("can't parse inline keyboard button: exactly one action must be set");
  const { callback_data: token, url, web_app: app, copy_text: copy } = actions;
  if (token !== undefined && exceeds(LIMITS.callbackDataBytes, Buffer.byteLength(token))) {
    throw badRequest("BUTTON_DATA_INVALID");
  }
  if (copy !== undefined && exceeds(LIMITS.copyText, copy.text.length)) {
    throw badRequest("BUTTON_COPY_TEXT_INVALID");
  }
  if (url !== undefined && !isReachableUrl(url)) {
    throw badRequest(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
  }
  if (app === undefined) return;
  if (chat.type !== "private") throw badRequest("BUTTON_TYPE_INVALID");
  if (!/^https:/i.test(app.url)) {
    throw badRequest(
      `inline keyboard button Web App URL '${app.url}' is invalid: Only HTTPS links are allowed`,
    );
  }
}

/** Hosts without a dot, as `localhost`, are no addresses to Telegram. */
export function isReachableUrl(url: string): boolean {
  if (/^tg:\/\//i.test(url)) return true;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.hostname.includes(".");
}
