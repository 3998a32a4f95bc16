import type { ChatView, ControlView, MessageView } from "../core/chat-view.ts";
import { type Fields, isFields, textOf } from "../core/json.ts";
import type { Delivery } from "../core/outbox.ts";
import {
  type Happened,
  type MessageAt,
  PersonCannot,
  type PersonSide,
  type Reaction,
  type SentMedia,
  type TapOn,
  type Typed,
} from "../core/person.ts";
import type { Runtime } from "../core/start-fake.ts";
import { type MediaKind, mediaJson, storeFile } from "./attachment.ts";
import type { Updates } from "./updates.ts";
import {
  addMessage,
  chatJson,
  messageIn,
  messageJson,
  type StoredChat,
  type StoredMessage,
  type TelegramUser,
  userJson,
  type World,
} from "./world.ts";

type Parts = Readonly<{ world: World; updates: Updates; runtime: Runtime; hasGroupPrivacy: boolean }>;
type Stored = StoredChat;

const KINDS: Readonly<Record<SentMedia["kind"], MediaKind>> = {
  image: "photo",
  document: "document",
  video: "video",
  audio: "audio",
};

export function createTelegramPerson(parts: Parts): PersonSide {
  return {
    see: () => see(parts.world),
    tap: (on) => tap(parts, on),
    type: (typed) => write(parts, typed, { text: typed.text }),
    sendMedia: (media) => sendMedia(parts, media),
    react: (reaction) => react(parts, reaction),
    submit: () => Promise.reject(new PersonCannot("Telegram has no forms of its own")),
    press: () => Promise.reject(new PersonCannot("Telegram has no forms of its own")),
    dismiss: () => Promise.reject(new PersonCannot("Telegram has no forms of its own")),
  };
}

function chatOf({ world }: Parts, conversation: string): Stored {
  const stored = world.chats.get(Number(conversation));
  if (stored === undefined) throw new PersonCannot(`there is no chat ${conversation}`);
  return stored;
}

function userIn({ chat }: Stored, as: string | undefined): TelegramUser {
  if (as === undefined) return chat.people[0];
  const user = chat.people.find(({ id, name }) => String(id) === as || name === as);
  if (user === undefined) throw new PersonCannot(`${as} is not in chat ${chat.id}`);
  return user;
}

function find(stored: Stored, id: string): StoredMessage {
  const message = messageIn(stored, id);
  if (message === undefined) throw new PersonCannot(`there is no message ${id} in chat ${stored.chat.id}`);
  return message;
}

function happened(...deliveries: readonly (Delivery | undefined)[]): Pick<Happened, "deliveries"> {
  return { deliveries: deliveries.filter((delivery) => delivery !== undefined) };
}

async function tap(parts: Parts, on: TapOn): Promise<Happened> {
  const { world, updates, runtime } = parts;
  const stored = chatOf(parts, on.conversation);
  const message = find(stored, on.message);
  const from = userIn(stored, on.as);
  const button = buttonsOf(message).find(
    ({ id, fields }) =>
      id === on.control || fields["text"] === on.control || fields["callback_data"] === on.control,
  );
  if (button === undefined) throw new PersonCannot(`message ${on.message} has no button "${on.control}"`);
  const { fields } = button;
  const app = fields["web_app"];
  const opened = textOf(fields["url"]) ?? (isFields(app) ? textOf(app["url"]) : undefined);
  if (opened !== undefined) return { deliveries: [], opened };
  const token = textOf(fields["callback_data"]);
  if (token === undefined) return { deliveries: [] };
  const query = {
    id: String(4_000_000 + world.queries.size),
    atMs: world.nowMs(),
    chatId: stored.chat.id,
  };
  world.queries.set(query.id, query);
  runtime.feed.changed();
  return happened(
    await updates.tell("callback_query", {
      id: query.id,
      from: userJson(from),
      message: messageJson(world, message),
      chat_instance: String(stored.chat.id),
      data: token,
    }),
  );
}

async function write(
  parts: Parts,
  typed: Pick<Typed, "conversation" | "replyTo" | "as">,
  content: Fields,
  mediaUrl?: string,
): Promise<Happened> {
  const { world, updates, runtime } = parts;
  const stored = chatOf(parts, typed.conversation);
  const replied = typed.replyTo === undefined ? undefined : find(stored, typed.replyTo);
  const message = addMessage(stored, {
    author: userIn(stored, typed.as),
    atMs: world.nowMs(),
    replyTo: replied?.id,
    content,
    markup: undefined,
    ...(mediaUrl === undefined ? {} : { mediaUrl }),
  });
  runtime.feed.changed();
  const text = textOf(content["text"]) ?? textOf(content["caption"]) ?? "";
  const isForBot = replied?.author === undefined && replied !== undefined;
  const isSeen =
    stored.chat.type === "private" ||
    !parts.hasGroupPrivacy ||
    isForBot ||
    text.startsWith("/") ||
    text.includes(`@${world.bot.username}`);
  const delivery = isSeen ? await updates.tell("message", messageJson(world, message)) : undefined;
  return { ...happened(delivery), message: String(message.id) };
}

async function sendMedia(parts: Parts, media: SentMedia): Promise<Happened> {
  const kind = KINDS[media.kind];
  const id = storeFile(parts.world, kind, Buffer.from(media.url), media.contentType ?? "");
  const content = {
    ...mediaJson(kind, id, "file"),
    ...(media.caption === undefined ? {} : { caption: media.caption }),
  };
  return write(parts, media, content, media.url);
}

async function react(parts: Parts, reaction: Reaction): Promise<Happened> {
  const stored = chatOf(parts, reaction.conversation);
  const message = find(stored, reaction.message);
  message.reactions.push(reaction.emoji);
  parts.runtime.feed.changed();
  return happened(
    await parts.updates.tell("message_reaction", {
      chat: chatJson(stored.chat),
      message_id: message.id,
      user: userJson(userIn(stored, reaction.as)),
      date: Math.floor(parts.world.nowMs() / 1000),
      old_reaction: [],
      new_reaction: [{ type: "emoji", emoji: reaction.emoji }],
    }),
  );
}

function buttonsOf({ markup }: StoredMessage): { id: string; fields: Fields }[] {
  const rows = markup?.["inline_keyboard"];
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown, y) =>
    Array.isArray(row)
      ? row.flatMap((fields: unknown, x) => (isFields(fields) ? [{ id: `${y}:${x}`, fields }] : []))
      : [],
  );
}

function see(world: World): ChatView {
  return {
    provider: "telegram",
    title: "Telegram",
    conversations: [...world.chats.values()].map((stored) => ({
      id: String(stored.chat.id),
      name: stored.chat.title ?? stored.chat.people[0].name,
      kind: stored.chat.type === "private" ? "direct" : "group",
      people: stored.chat.people.map(({ id, name }) => ({ id: String(id), name })),
      messages: [...stored.messages.map((message) => view(world, message)), ...toasts(world, stored)].sort(
        (a, b) => a.atMs - b.atMs,
      ),
    })),
  };
}

function view(world: World, message: StoredMessage): MessageView & MessageAt {
  const { content } = message;
  const kind = Object.values(KINDS).find((each) => each in content);
  const controls = buttonsOf(message).map(({ id, fields }): ControlView => {
    const app = fields["web_app"];
    const url = textOf(fields["url"]) ?? (isFields(app) ? textOf(app["url"]) : undefined);
    const label = textOf(fields["text"]) ?? "";
    return url === undefined ? { id, label, kind: "tap" } : { id, label, kind: "link", url };
  });
  return {
    conversation: String(message.chatId),
    message: String(message.id),
    id: String(message.id),
    author: message.author?.name ?? world.bot.name,
    fromApp: message.author === undefined,
    text: textOf(content["text"]) ?? textOf(content["caption"]) ?? "",
    atMs: message.atMs,
    reactions: message.reactions,
    controls,
    ...(message.editedMs === undefined ? {} : { isEdited: true }),
    ...(message.replyTo === undefined ? {} : { replyTo: String(message.replyTo) }),
    ...(kind === undefined ? {} : { media: [{ kind, url: message.mediaUrl ?? "" }] }),
  };
}

/** What a tap's acknowledgement shows for a moment, kept so that one can read it. */
function toasts(world: World, { chat }: Stored): MessageView[] {
  return [...world.queries.values()]
    .filter(({ chatId, answer }) => chatId === chat.id && answer?.text !== undefined)
    .map(({ id, atMs, answer }) => ({
      id: `tap-${id}`,
      author: world.bot.name,
      fromApp: true,
      isPrivate: true,
      text: answer?.text ?? "",
      atMs,
    }));
}
