import { chatMessages, optionToken } from "@interlude/channel-kit";
import { type AskOption, hasControl, optionLabel } from "@interlude/contract";
import type { JsonObject } from "@interlude/kernel";
import { isPrivateChat } from "./address.ts";
import { LIMITS } from "./limits.ts";

export type Keyboard = Readonly<{ inline_keyboard: readonly (readonly JsonObject[])[] }>;

/** One option a row; undefined where they are too many or too long. */
export function optionKeyboard(reference: string, options: readonly AskOption[]): Keyboard | undefined {
  const labels = options.map(optionLabel);
  const isShort = labels.every((label) => label.length <= LIMITS.BUTTON_MAX_CHARS && !hasControl(label));
  if (!isShort || labels.length > LIMITS.KEYBOARD_MAX_BUTTONS) return undefined;
  const keyboard = {
    inline_keyboard: labels.map((text, index) => [{ text, callback_data: optionToken(reference, index) }]),
  };
  return Buffer.byteLength(JSON.stringify(keyboard)) <= LIMITS.KEYBOARD_MAX_BYTES ? keyboard : undefined;
}

export function yesNoKeyboard(reference: string, language: string): Keyboard {
  const say = chatMessages(language);
  const yes = { text: say.yes, callback_data: optionToken(reference, "yes") };
  const no = { text: say.no, callback_data: optionToken(reference, "no") };
  return { inline_keyboard: [[yes, no]] };
}

export function linkKeyboard(text: string, url: string): Keyboard {
  return { inline_keyboard: [[{ text, url }]] };
}

/** In a private chat the page opens inside Telegram; only there, and only over https, it may. */
export function formKeyboard(recipient: string, url: string, language: string): Keyboard {
  const text = chatMessages(language).openForm;
  const isInside = isPrivateChat(recipient) && url.startsWith("https://");
  return isInside ? { inline_keyboard: [[{ text, web_app: { url } }]] } : linkKeyboard(text, url);
}
