import { isDeepStrictEqual } from "node:util";
import { type Fields, textOf } from "../core/json.ts";
import { exceeds } from "../core/limit.ts";
import { TELEGRAM_LIMITS as LIMITS } from "./limits.ts";
import { checkMarkup } from "./markup.ts";
import { badRequest } from "./refusal.ts";
import { type Call, readCaption, readText } from "./sending.ts";
import { chatFor, messageIn, messageJson, type StoredMessage, type World } from "./world.ts";

export function editMessageText(call: Call): Fields {
  const message = toEdit(call, "edit");
  if (textOf(message.content["text"]) === undefined)
    throw badRequest("there is no text in the message to edit");
  return change(call, message, { text: readText(call.fields) });
}

export function editMessageCaption(call: Call): Fields {
  const message = toEdit(call, "edit");
  if ("text" in message.content) throw badRequest("there is no caption in the message to edit");
  const { caption: _old, ...rest } = message.content;
  return change(call, message, { ...rest, ...readCaption(call.fields) });
}

export function editMessageReplyMarkup(call: Call): Fields {
  const message = toEdit(call, "edit");
  return change(call, message, message.content);
}

export function deleteMessage(call: Call): true {
  const stored = chatFor(call.world, call.fields["chat_id"]);
  const message = messageIn(stored, call.fields["message_id"]);
  if (message === undefined) throw badRequest("message to delete not found");
  stored.messages.splice(stored.messages.indexOf(message), 1);
  return true;
}

export function answerCallbackQuery({ world, fields }: Call): true {
  const query = world.queries.get(textOf(fields["callback_query_id"]) ?? "");
  const isOver =
    query === undefined ||
    query.answer !== undefined ||
    exceeds(LIMITS.callbackLifeMs, world.nowMs() - query.atMs);
  if (isOver) {
    throw badRequest("query is too old and response timeout expired or query ID is invalid");
  }
  const text = textOf(fields["text"]);
  if (text !== undefined && exceeds(LIMITS.callbackAnswerText, text.length)) {
    throw badRequest("MESSAGE_TOO_LONG");
  }
  query.answer = {
    showAlert: fields["show_alert"] === true,
    ...(text === undefined || text === "" ? {} : { text }),
  };
  return true;
}

function toEdit({ world, fields }: Call, verb: string): StoredMessage {
  const message = messageIn(chatFor(world, fields["chat_id"]), fields["message_id"]);
  if (message === undefined) throw badRequest(`message to ${verb} not found`);
  if (message.author !== undefined) throw badRequest("message can't be edited");
  return message;
}

/** An edit without a keyboard takes the keyboard away. */
function change({ world, fields }: Call, message: StoredMessage, content: Fields): Fields {
  const markup = checkMarkup(fields["reply_markup"], chatOf(world, message), true);
  if (isDeepStrictEqual([content, markup], [message.content, message.markup])) {
    throw badRequest(
      "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
    );
  }
  message.content = content;
  message.markup = markup;
  message.editedMs = world.nowMs();
  return messageJson(world, message);
}

function chatOf(world: World, message: StoredMessage) {
  return chatFor(world, message.chatId).chat;
}
