import {
  chatMessages,
  endText,
  numberedPrompt,
  type OutgoingNotification,
  type OutgoingQuestion,
  type ProviderRequest,
  type QuestionEnd,
  type Rendering,
  type SentQuestion,
  withControls,
  withMediaLines,
  withOptionLines,
} from "@interlude/channel-kit";
import type { AskOption, MediaItem } from "@interlude/contract";
import { chatId, isPrivateChat } from "./address.ts";
import { formKeyboard, linkKeyboard, optionKeyboard, yesNoKeyboard } from "./keyboard.ts";
import { LIMITS } from "./limits.ts";
import { mediaMessages, splitMedia, texts } from "./messages.ts";

function layMedia(to: string, text: string, media: readonly MediaItem[] = []) {
  const { native, links } = splitMedia(media);
  return { before: native.flatMap((item) => mediaMessages(to, item)), text: withMediaLines(text, links) };
}

/** In a group nothing but a reply in context answers, so the person is told to make one. */
function plain(to: string, text: string, language: string): ProviderRequest[] {
  const hint = isPrivateChat(to) ? "" : `\n\n${chatMessages(language).replyHere}`;
  return texts(to, `${text}${hint}`);
}

function renderSelect(
  to: string,
  text: string,
  question: { reference: string; options: readonly AskOption[] },
  language: string,
): Rendering {
  const keyboard = optionKeyboard(question.reference, question.options);
  if (keyboard !== undefined) return { requests: texts(to, text, keyboard), shape: "buttons" };
  const prompt = numberedPrompt(text, question.options, language);
  const requests = plain(to, prompt.text, language);
  const { numbered } = prompt;
  return numbered === undefined ? { requests, shape: "text" } : { requests, shape: "numbered", numbered };
}

function renderControls(question: OutgoingQuestion, text: string, language: string): Rendering {
  const { recipient: to, reference, pageUrl } = question;
  switch (question.format) {
    case "text": {
      const { options } = question;
      const replies = options === undefined ? undefined : optionKeyboard(reference, options);
      // Suggestions constrain nothing: where they cannot be tapped the question stands alone.
      if (replies === undefined) return { requests: plain(to, text, language), shape: "text" };
      return { requests: texts(to, text, replies), shape: "buttons" };
    }
    case "confirm":
      return { requests: texts(to, text, yesNoKeyboard(reference, language)), shape: "buttons" };
    case "select":
      return renderSelect(to, text, question, language);
    case "form":
      return { requests: texts(to, text, formKeyboard(to, pageUrl, language)), shape: "page" };
    case "external": {
      const keyboard = linkKeyboard(chatMessages(language).open, question.linkUrl ?? pageUrl);
      return { requests: texts(to, text, keyboard), shape: "link" };
    }
  }
}

export function renderTelegram(question: OutgoingQuestion, language: string): Rendering {
  const { before, text } = layMedia(question.recipient, question.question, question.media);
  const { requests, ...rest } = renderControls(question, text, language);
  return { requests: withControls([...before, ...requests]), ...rest };
}

export function renderTelegramNotification(
  notification: OutgoingNotification,
  language: string,
): readonly ProviderRequest[] {
  const { recipient: to, reference, options, form } = notification;
  const { before, text } = layMedia(to, notification.message, notification.media);
  const replies = options === undefined ? undefined : optionKeyboard(reference, options);
  const keyboard = form === undefined ? replies : formKeyboard(to, form.pageUrl, language);
  const isTyped = options !== undefined && keyboard === undefined;
  return [...before, ...texts(to, isTyped ? withOptionLines(text, options) : text, keyboard)];
}

export function messageNumber(id: string): number | undefined {
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}

export function renderTelegramNotice(
  address: string,
  text: string,
  replyTo?: string,
): readonly ProviderRequest[] {
  return texts(address, text, undefined, replyTo === undefined ? undefined : messageNumber(replyTo));
}

/** Writes the end under the question, which takes its buttons away; where both do not fit, behind it. */
export function renderTelegramEnd(
  { question, address, messageId }: SentQuestion,
  end: QuestionEnd,
  language: string,
): readonly ProviderRequest[] {
  const id = messageNumber(messageId);
  const last = renderTelegram(question, language).requests.at(-1)?.body["text"];
  if (id === undefined || typeof last !== "string") return [];
  const at = { chat_id: chatId(address), message_id: id };
  const text = `${last}\n\n${endText(end, language)}`;
  if (text.length <= LIMITS.TEXT_MAX_CHARS) {
    const body = { ...at, text, link_preview_options: { is_disabled: true } };
    return [{ method: "editMessageText", body }];
  }
  const without = {
    method: "editMessageReplyMarkup",
    body: { ...at, reply_markup: { inline_keyboard: [] } },
  };
  return [without, ...texts(address, endText(end, language), undefined, id)];
}
