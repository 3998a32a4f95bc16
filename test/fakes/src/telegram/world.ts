import type { Fields } from "../core/json.ts";
import type { Runtime } from "../core/start-fake.ts";
import { badRequest, TelegramRefusal } from "./refusal.ts";

export type TelegramUser = Readonly<{ id: number; name: string; username?: string }>;
export type TelegramChat = Readonly<{
  id: number;
  type: "private" | "group" | "supergroup";
  /** A group's name. */
  title?: string;
  /** Who writes there, the usual one first. A private chat's only person has the chat's id. */
  people: readonly [TelegramUser, ...TelegramUser[]];
}>;

export type StoredMessage = {
  readonly id: number;
  readonly chatId: number;
  /** Undefined for the bot. */
  readonly author: TelegramUser | undefined;
  readonly atMs: number;
  readonly replyTo: number | undefined;
  /** `text`, `caption` and media, as the API shows them. */
  content: Fields;
  /** An address that was sent instead of a file. */
  readonly mediaUrl?: string;
  markup: Fields | undefined;
  editedMs?: number;
  reactions: string[];
};

export type CallbackQuery = {
  readonly id: string;
  readonly atMs: number;
  readonly chatId: number;
  answer?: { text?: string; showAlert: boolean };
};

export type StoredChat = {
  chat: TelegramChat;
  messages: StoredMessage[];
  nextId: number;
  isBlocked: boolean;
};

export type StoredFile = Readonly<{ id: string; path: string; bytes: Buffer; contentType: string }>;

/** All that Telegram knows: chats, messages, taps and files. */
export type World = {
  readonly bot: Readonly<{ id: number; token: string; username: string; name: string }>;
  readonly chats: Map<number, StoredChat>;
  /** Old ids of groups that became supergroups. */
  readonly migrated: Map<number, number>;
  readonly queries: Map<string, CallbackQuery>;
  readonly files: Map<string, StoredFile>;
  readonly nowMs: () => number;
};

export function createWorld(
  token: string,
  chats: readonly TelegramChat[],
  { clock, firstId }: Pick<Runtime, "clock" | "firstId">,
): World {
  const { nowMs } = clock;
  const fresh = { nextId: firstId + 1, isBlocked: false };
  return {
    bot: { id: Number(token.split(":")[0]), token, username: "interlude_bot", name: "Interlude" },
    chats: new Map(chats.map((chat) => [chat.id, { chat, messages: [], ...fresh }] as const)),
    migrated: new Map(),
    queries: new Map(),
    files: new Map(),
    nowMs,
  };
}

/** The chat that a request names by id or, for groups only, by a public name that no chat here has. */
export function chatFor(world: World, chatId: unknown): StoredChat {
  if (chatId === undefined || chatId === "") throw badRequest("chat_id is empty");
  const id = typeof chatId === "number" || typeof chatId === "string" ? Number(chatId) : Number.NaN;
  const migratedTo = world.migrated.get(id);
  if (migratedTo !== undefined) {
    throw new TelegramRefusal(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: migratedTo,
    });
  }
  const stored = world.chats.get(id);
  if (stored === undefined) throw badRequest("chat not found");
  if (stored.isBlocked) {
    const isPrivate = stored.chat.type === "private";
    const reason = isPrivate
      ? "bot was blocked by the user"
      : `bot was kicked from the ${stored.chat.type} chat`;
    throw new TelegramRefusal(403, `Forbidden: ${reason}`);
  }
  return stored;
}

export function messageIn(stored: StoredChat, messageId: unknown): StoredMessage | undefined {
  const id = Number(messageId);
  return stored.messages.find((message) => message.id === id);
}

export function addMessage(
  stored: StoredChat,
  message: Omit<StoredMessage, "id" | "chatId" | "reactions">,
): StoredMessage {
  const added = { ...message, id: stored.nextId, chatId: stored.chat.id, reactions: [] };
  stored.nextId += 1;
  stored.messages.push(added);
  return added;
}

export function userJson({ id, name, username }: TelegramUser): Fields {
  return {
    id,
    is_bot: false,
    first_name: name,
    language_code: "en",
    ...(username === undefined ? {} : { username }),
  };
}

export function botJson({ bot }: World): Fields {
  return { id: bot.id, is_bot: true, first_name: bot.name, username: bot.username };
}

export function chatJson(chat: TelegramChat): Fields {
  if (chat.type === "private") return { id: chat.id, first_name: chat.people[0].name, type: chat.type };
  return { id: chat.id, title: chat.title ?? `Group ${chat.id}`, type: chat.type };
}

/** A message as the API and the updates show it; the message it replies to is shown without its own. */
export function messageJson(world: World, message: StoredMessage, isNested = false): Fields {
  const stored = world.chats.get(message.chatId);
  const replied = stored === undefined || isNested ? undefined : messageIn(stored, message.replyTo);
  const hasKeyboard = message.markup !== undefined && "inline_keyboard" in message.markup;
  return {
    message_id: message.id,
    from: message.author === undefined ? botJson(world) : userJson(message.author),
    ...(stored === undefined ? {} : { chat: chatJson(stored.chat) }),
    date: Math.floor(message.atMs / 1000),
    ...(message.editedMs === undefined ? {} : { edit_date: Math.floor(message.editedMs / 1000) }),
    ...(replied === undefined ? {} : { reply_to_message: messageJson(world, replied, true) }),
    ...message.content,
    ...(hasKeyboard ? { reply_markup: message.markup } : {}),
  };
}
