import type { Answer } from "../core/exchange.ts";
import type { FakeControl } from "../core/fake-control.ts";
import type { Happened } from "../core/person.ts";
import type { Provider } from "../core/provider.ts";
import { type FakeOptions, type Runtime, startFake } from "../core/start-fake.ts";
import { receiveBotApi } from "./bot-api.ts";
import { createMethods } from "./methods.ts";
import { createTelegramPerson } from "./person.ts";
import { refusalAnswer } from "./refusal.ts";
import { createUpdates, type Updates } from "./updates.ts";
import { chatJson, createWorld, type TelegramChat, type World } from "./world.ts";

export type TelegramFakeOptions = FakeOptions &
  Readonly<{
    token?: string;
    chats?: readonly TelegramChat[];
    /** Whether a group's messages that are not for the bot are kept from it; so unless said otherwise. */
    groupPrivacy?: boolean;
  }>;

export interface TelegramFake extends FakeControl {
  /** `TELEGRAM_API_URL`. */
  readonly apiUrl: string;
  readonly token: string;
  /** Where updates go, for a bot that does not set its webhook itself, as over plain HTTP. */
  deliverTo(url: string, secretToken: string): void;
  /** What each tap was answered with, in order; undefined while it has not been. */
  tapAnswers(): readonly ({ text?: string; showAlert: boolean } | undefined)[];
  /** The group becomes a supergroup under a new id, which is returned; the old id answers with it. */
  upgradeGroup(chat: number): Promise<number>;
  /** The person blocks the bot, or the group throws it out. */
  block(chat: number): Promise<Happened>;
}

const ADA = { id: 1001, name: "Ada", username: "ada" } as const;
const BO = { id: 1002, name: "Bo" } as const;
export const TELEGRAM_CHATS: readonly TelegramChat[] = [
  { id: ADA.id, type: "private", people: [ADA] },
  { id: BO.id, type: "private", people: [BO] },
  { id: -2001, type: "group", title: "Ops", people: [ADA, BO] },
];
const TOKEN = "7000001:AAfake-bot-token-of-the-telegram-fake";

/** https://core.telegram.org/bots/api: a bot, its chats, and the people in them. */
export async function startTelegramFake(options: TelegramFakeOptions = {}): Promise<TelegramFake> {
  const token = options.token ?? TOKEN;
  const { control, provider } = await startFake(
    (runtime) => createTelegram(runtime, token, options),
    options,
  );
  const { world, updates } = provider;
  return Object.assign(control, {
    apiUrl: control.url,
    token,
    deliverTo: updates.deliverTo,
    tapAnswers: () => [...world.queries.values()].map(({ answer }) => answer),
    upgradeGroup: (chat: number) => upgradeGroup(world, updates, chat),
    block: (chat: number) => block(world, updates, chat),
  });
}

function createTelegram(
  runtime: Runtime,
  token: string,
  options: TelegramFakeOptions,
): Provider & { world: World; updates: Updates } {
  const world = createWorld(token, options.chats ?? TELEGRAM_CHATS, runtime);
  const updates = createUpdates(runtime.outbox, runtime.firstId);
  const methods = createMethods(updates, world);
  const hasGroupPrivacy = options.groupPrivacy ?? true;
  return {
    name: "telegram",
    world,
    updates,
    receive: (received) => receiveBotApi(world, methods, received),
    failure: ({ status, message, retryAfterSeconds }) =>
      retryAfterSeconds === undefined
        ? refusalAnswer(status, message ?? (status >= 500 ? "Internal Server Error" : "Bad Request"))
        : tooMany(retryAfterSeconds),
    tooMany: ({ retryAfterSeconds }) => tooMany(retryAfterSeconds),
    person: createTelegramPerson({ world, updates, runtime, hasGroupPrivacy }),
  };
}

function tooMany(seconds: number): Answer {
  return refusalAnswer(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

async function upgradeGroup(world: World, updates: Updates, chatId: number): Promise<number> {
  const stored = world.chats.get(chatId);
  if (stored?.chat.type !== "group") throw new Error(`${chatId} is no group`);
  const id = Number(`-100${Math.abs(chatId)}`);
  const chat = { ...stored.chat, id, type: "supergroup" } as const;
  world.chats.delete(chatId);
  world.chats.set(id, { chat, messages: [], nextId: 1, isBlocked: false });
  world.migrated.set(chatId, id);
  const date = Math.floor(world.nowMs() / 1000);
  await updates.tell("message", {
    message_id: stored.nextId,
    chat: chatJson(stored.chat),
    date,
    migrate_to_chat_id: id,
  });
  await updates.tell("message", { message_id: 1, chat: chatJson(chat), date, migrate_from_chat_id: chatId });
  return id;
}

async function block(world: World, updates: Updates, chatId: number): Promise<Happened> {
  const stored = world.chats.get(chatId);
  if (stored === undefined) throw new Error(`there is no chat ${chatId}`);
  stored.isBlocked = true;
  const delivery = await updates.tell("my_chat_member", {
    chat: chatJson(stored.chat),
    date: Math.floor(world.nowMs() / 1000),
    old_chat_member: { status: "member" },
    new_chat_member: { status: "kicked" },
  });
  return { deliveries: delivery === undefined ? [] : [delivery] };
}
