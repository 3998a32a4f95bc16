import {
  type Inbound,
  type InboundMedia,
  type ParsedDelivery,
  parseOptionToken,
  type WebhookDelivery,
} from "@interlude/channel-kit";
import { z } from "zod";

const Chat = z.object({ id: z.number().int(), type: z.string().optional() });
const File = z.object({ file_id: z.string(), mime_type: z.string().optional() });

const Message = z.object({
  message_id: z.number().int(),
  date: z.number().optional(),
  chat: Chat,
  from: z.object({ id: z.number().int(), is_bot: z.boolean().optional() }).optional(),
  sender_chat: z.object({ id: z.number().int() }).optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  reply_to_message: z
    .object({ message_id: z.number().int(), forum_topic_created: z.unknown().optional() })
    .optional(),
  photo: z.array(File).optional(),
  document: File.optional(),
  video: File.optional(),
  audio: File.optional(),
  voice: File.optional(),
  video_note: File.optional(),
  sticker: File.optional(),
  location: z.unknown().optional(),
  contact: z.unknown().optional(),
});
type Message = z.infer<typeof Message>;

const Tap = z.object({
  id: z.string(),
  from: z.object({ id: z.number().int() }),
  message: z.object({ message_id: z.number().int(), chat: Chat }),
  data: z.string(),
});

const Update = z.object({
  update_id: z.number().int(),
  message: z.unknown().optional(),
  callback_query: z.unknown().optional(),
});

const FILES = ["document", "video", "audio", "voice", "video_note", "sticker"] as const;

function mediaOf(message: Message): InboundMedia[] {
  // Sizes of one picture, the largest last.
  const photo = message.photo?.at(-1);
  if (photo !== undefined) return [{ kind: "image", id: photo.file_id }];
  for (const kind of FILES) {
    const file = message[kind];
    if (file === undefined) continue;
    return [
      { kind, id: file.file_id, ...(file.mime_type === undefined ? {} : { contentType: file.mime_type }) },
    ];
  }
  if (message.location !== undefined) return [{ kind: "location" }];
  return message.contact === undefined ? [] : [{ kind: "contact" }];
}

/** In a forum every message is "in reply" to the one that opened its topic. */
function repliedTo({ reply_to_message: to }: Message): { replyTo?: string } {
  return to === undefined || to.forum_topic_created !== undefined ? {} : { replyTo: String(to.message_id) };
}

function parseMessage(raw: unknown, updateId: string): Inbound {
  const ignored = (reason: string): Inbound => ({ kind: "ignored", updateId, reason });
  const parsed = Message.safeParse(raw);
  if (!parsed.success) return ignored("a message that cannot be read");
  const message = parsed.data;
  const { chat, from, date } = message;
  if (from === undefined) return ignored("a message without an author");
  // A group's anonymous administrator writes as a bot, for the group.
  if (from.is_bot === true && message.sender_chat === undefined) return ignored("a bot's message");
  const text = message.text ?? message.caption;
  const media = mediaOf(message);
  if (text === undefined && media.length === 0) return ignored("a message that says nothing");
  return {
    kind: "message",
    updateId,
    address: String(chat.id),
    from: String(from.id),
    messageId: String(message.message_id),
    isDirect: chat.type === "private",
    ...(date === undefined ? {} : { atMs: date * 1_000 }),
    ...(text === undefined ? {} : { text }),
    ...(media.length === 0 ? {} : { media }),
    ...repliedTo(message),
  };
}

function parseTap(raw: unknown, updateId: string): Inbound {
  const parsed = Tap.safeParse(raw);
  if (!parsed.success) return { kind: "ignored", updateId, reason: "a tap on no message of ours" };
  const { id, from, message, data } = parsed.data;
  const token = parseOptionToken(data);
  if (token === undefined) return { kind: "ignored", updateId, reason: "a tap on no button of ours" };
  return {
    kind: "tap",
    updateId,
    address: String(message.chat.id),
    from: String(from.id),
    messageId: String(message.message_id),
    isDirect: message.chat.type === "private",
    ...token,
    acknowledge: { callback_query_id: id },
  };
}

function parseJson(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(rawBody).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Edits, reactions, members and posts of channels are other updates; none of them answers. */
export function parseTelegram({ rawBody }: Pick<WebhookDelivery, "rawBody">): ParsedDelivery {
  const parsed = Update.safeParse(parseJson(rawBody));
  if (!parsed.success) return { inbound: [{ kind: "ignored", reason: "no update" }] };
  const { update_id, message, callback_query } = parsed.data;
  const updateId = String(update_id);
  if (message !== undefined) return { inbound: [parseMessage(message, updateId)] };
  if (callback_query !== undefined) return { inbound: [parseTap(callback_query, updateId)] };
  return { inbound: [{ kind: "ignored", updateId, reason: "an update of another kind" }] };
}
