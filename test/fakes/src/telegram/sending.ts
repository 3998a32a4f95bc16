import type { SentFile } from "../core/body-fields.ts";
import { type Fields, isFields, textOf } from "../core/json.ts";
import { exceeds } from "../core/limit.ts";
import { attach, type Attachment, type MediaKind } from "./attachment.ts";
import { plainText } from "./formatting.ts";
import { TELEGRAM_LIMITS as LIMITS } from "./limits.ts";
import { checkMarkup } from "./markup.ts";
import { badRequest } from "./refusal.ts";
import { addMessage, chatFor, messageIn, messageJson, type World } from "./world.ts";

export type Call = Readonly<{ world: World; fields: Fields; files: Readonly<Record<string, SentFile>> }>;

/** The text as Telegram keeps it: formatting read, blanks at both ends gone. */
export function readText(fields: Fields): string {
  const text = textOf(fields["text"]) ?? "";
  const plain = plainText(text, fields["parse_mode"]).trim();
  if (plain === "") throw badRequest("message text is empty");
  if (exceeds(LIMITS.text, plain.length)) throw badRequest("message is too long");
  return plain;
}

export function readCaption(fields: Fields): Fields {
  const caption = textOf(fields["caption"]);
  if (caption === undefined) return {};
  const plain = plainText(caption, fields["parse_mode"]).trim();
  if (exceeds(LIMITS.caption, plain.length)) throw badRequest("message caption is too long");
  return plain === "" ? {} : { caption: plain };
}

export function sendMessage({ world, fields }: Call): Fields {
  return send(world, fields, { content: { text: readText(fields) } });
}

export function sendFile(kind: MediaKind): (call: Call) => Fields {
  return ({ world, fields, files }) => {
    const attachment = attach(world, kind, fields[kind], files);
    return send(world, fields, {
      ...attachment,
      content: { ...attachment.content, ...readCaption(fields) },
    });
  };
}

export function sendMediaGroup({ world, fields, files }: Call): Fields[] {
  const media = fields["media"];
  if (!Array.isArray(media)) throw badRequest("can't parse InputMedia: media must be an array");
  if (exceeds(LIMITS.mediaGroup, media.length)) throw badRequest("wrong number of messages to send");
  const kinds: Readonly<Record<string, MediaKind>> = {
    photo: "photo",
    document: "document",
    video: "video",
    audio: "audio",
  };
  const attachments = media.map((item: unknown): Attachment => {
    const given = isFields(item) ? item : {};
    const kind = kinds[textOf(given["type"]) ?? ""];
    if (kind === undefined) throw badRequest("can't parse InputMedia: type must be non-empty");
    const attachment = attach(world, kind, given["media"], files);
    return { ...attachment, content: { ...attachment.content, ...readCaption(given) } };
  });
  return attachments.map((attachment) => send(world, fields, attachment));
}

function send(world: World, fields: Fields, { content, url }: Attachment): Fields {
  const stored = chatFor(world, fields["chat_id"]);
  const markup = checkMarkup(fields["reply_markup"], stored.chat, false);
  const reply = fields["reply_parameters"];
  const replyTo = isFields(reply) ? Number(reply["message_id"]) : undefined;
  const isReplyOptional = isFields(reply) && reply["allow_sending_without_reply"] === true;
  const isThere = replyTo === undefined || messageIn(stored, replyTo) !== undefined;
  if (!isThere && !isReplyOptional) throw badRequest("message to be replied not found");
  const message = addMessage(stored, {
    author: undefined,
    atMs: world.nowMs(),
    replyTo: isThere ? replyTo : undefined,
    content,
    markup,
    ...(url === undefined ? {} : { mediaUrl: url }),
  });
  return messageJson(world, message);
}
