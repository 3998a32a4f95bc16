import { textOf, type Fields } from "../core/json.ts";
import {
  answerCallbackQuery,
  deleteMessage,
  editMessageCaption,
  editMessageReplyMarkup,
  editMessageText,
} from "./editing.ts";
import { badRequest } from "./refusal.ts";
import { type Call, sendFile, sendMediaGroup, sendMessage } from "./sending.ts";
import type { Updates } from "./updates.ts";
import { botJson, chatFor, chatJson, type World } from "./world.ts";

export type Method = Readonly<{
  /** Fields that the method has; the fake refuses others, where Telegram would silently ignore them. */
  fields: readonly string[];
  run: (call: Call) => unknown;
  /** Whether rates count it. */
  isMessage?: boolean;
}>;

const SENDING = [
  "chat_id",
  "message_thread_id",
  "disable_notification",
  "protect_content",
  "reply_parameters",
  "reply_markup",
  "message_effect_id",
  "business_connection_id",
  "allow_paid_broadcast",
];
const FORMATTED = ["parse_mode", "entities", "link_preview_options"];
const CAPTIONED = [
  "caption",
  "parse_mode",
  "caption_entities",
  "show_caption_above_media",
  "has_spoiler",
  "thumbnail",
  "duration",
  "performer",
  "title",
  "width",
  "height",
  "disable_content_type_detection",
];
const EDITED = ["chat_id", "message_id", "inline_message_id", "reply_markup", "business_connection_id"];
const ACTIONS = new Set([
  "typing",
  "upload_photo",
  "record_video",
  "upload_video",
  "record_voice",
  "upload_voice",
  "upload_document",
  "choose_sticker",
  "find_location",
  "record_video_note",
  "upload_video_note",
]);

const message = (fields: readonly string[], run: Method["run"]): Method => ({
  fields: [...SENDING, ...fields],
  run,
  isMessage: true,
});

/** https://core.telegram.org/bots/api#available-methods: those that a conversation needs. */
export function createMethods(updates: Updates, world: World): ReadonlyMap<string, Method> {
  const methods: Readonly<Record<string, Method>> = {
    getMe: { fields: [], run: () => me(world) },
    sendMessage: message(["text", ...FORMATTED], sendMessage),
    sendPhoto: message(["photo", ...CAPTIONED], sendFile("photo")),
    sendDocument: message(["document", ...CAPTIONED], sendFile("document")),
    sendVideo: message(["video", "supports_streaming", "cover", ...CAPTIONED], sendFile("video")),
    sendAudio: message(["audio", ...CAPTIONED], sendFile("audio")),
    sendMediaGroup: message(["media"], sendMediaGroup),
    editMessageText: { fields: [...EDITED, "text", ...FORMATTED], run: editMessageText },
    editMessageCaption: { fields: [...EDITED, ...CAPTIONED], run: editMessageCaption },
    editMessageReplyMarkup: { fields: EDITED, run: editMessageReplyMarkup },
    deleteMessage: { fields: ["chat_id", "message_id"], run: deleteMessage },
    answerCallbackQuery: {
      fields: ["callback_query_id", "text", "show_alert", "url", "cache_time"],
      run: answerCallbackQuery,
    },
    sendChatAction: { fields: ["chat_id", "message_thread_id", "action"], run: sendChatAction },
    getChat: { fields: ["chat_id"], run: ({ fields }) => chatJson(chatFor(world, fields["chat_id"]).chat) },
    getFile: { fields: ["file_id"], run: getFile },
    setWebhook: {
      fields: [
        "url",
        "certificate",
        "ip_address",
        "max_connections",
        "allowed_updates",
        "drop_pending_updates",
        "secret_token",
      ],
      run: updates.setWebhook,
    },
    deleteWebhook: { fields: ["drop_pending_updates"], run: updates.deleteWebhook },
    getWebhookInfo: { fields: [], run: updates.getWebhookInfo },
    getUpdates: { fields: ["offset", "limit", "timeout", "allowed_updates"], run: updates.getUpdates },
  };
  // Telegram takes a method's name in any case.
  return new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));
}

function me(world: World): Fields {
  return { ...botJson(world), can_join_groups: true, can_read_all_group_messages: false };
}

function sendChatAction({ world, fields }: Call): true {
  chatFor(world, fields["chat_id"]);
  if (ACTIONS.has(textOf(fields["action"]) ?? "")) return true;
  throw badRequest("wrong parameter action in request");
}

function getFile({ world, fields }: Call): Fields {
  const file = world.files.get(textOf(fields["file_id"]) ?? "");
  if (file === undefined) throw badRequest("invalid file_id");
  const { id, path, bytes } = file;
  return { file_id: id, file_unique_id: `u${id}`, file_size: bytes.byteLength, file_path: path };
}
