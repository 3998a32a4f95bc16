import { nativeMedia, type ProviderRequest, splitText } from "@interlude/channel-kit";
import type { MediaItem } from "@interlude/contract";
import type { JsonObject } from "@interlude/kernel";
import { chatId } from "./address.ts";
import type { Keyboard } from "./keyboard.ts";
import { LIMITS } from "./limits.ts";

/** Without a parse mode: the person sees the text exactly as it was asked. */
function textMessage(to: string, text: string, rest: JsonObject): ProviderRequest {
  const body = { chat_id: chatId(to), text, link_preview_options: { is_disabled: true }, ...rest };
  return { method: "sendMessage", body };
}

/** A text of any length; the controls stand under its last part. */
export function texts(to: string, text: string, keyboard?: Keyboard, replyTo?: number): ProviderRequest[] {
  const reply =
    replyTo === undefined
      ? {}
      : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } };
  const parts = splitText(text, LIMITS.TEXT_MAX_CHARS);
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    return textMessage(to, part, {
      ...reply,
      ...(isLast && keyboard !== undefined ? { reply_markup: keyboard } : {}),
    });
  });
}

/** core.telegram.org/bots/api#sending-files: by URL, Telegram takes these only; "" is a name without an ending. */
const METHODS: Readonly<Record<string, { method: string; field: string; endings?: readonly string[] }>> = {
  image: { method: "sendPhoto", field: "photo" },
  document: { method: "sendDocument", field: "document", endings: ["pdf", "zip", "gif"] },
  video: { method: "sendVideo", field: "video", endings: ["mp4", ""] },
  audio: { method: "sendAudio", field: "audio", endings: ["mp3", "m4a", ""] },
};

function endingOf({ filename, url }: MediaItem): string {
  const name = filename ?? (URL.canParse(url) ? new URL(url).pathname : url);
  return /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

export function splitMedia(media: readonly MediaItem[]) {
  return nativeMedia(media, (item) => {
    const kind = METHODS[item.kind];
    return kind !== undefined && (kind.endings?.includes(endingOf(item)) ?? true);
  });
}

/** One item as itself; words that are too long for it follow it. */
export function mediaMessages(to: string, item: MediaItem): ProviderRequest[] {
  const kind = METHODS[item.kind];
  if (kind === undefined) return [];
  const words = [item.filename, item.caption].filter((part) => part !== undefined).join("\n");
  const isCarried = words.length <= LIMITS.CAPTION_MAX_CHARS;
  const caption = isCarried && words !== "" ? { caption: words } : {};
  const own = { method: kind.method, body: { chat_id: chatId(to), [kind.field]: item.url, ...caption } };
  return isCarried ? [own] : [own, ...texts(to, words)];
}
