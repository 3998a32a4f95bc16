import { bodyFields } from "../core/body-fields.ts";
import type { Answer, PlainAnswer, Received } from "../core/exchange.ts";
import { type Fields, isFields, parseJson, textOf } from "../core/json.ts";
import { exceeds } from "../core/limit.ts";
import type { NamedRequest } from "../core/provider.ts";
import { furtherFaults, MessageBlocks, readModal, type SlackBlock, slackMessages } from "./blocks.ts";
import { SLACK_LIMITS as LIMITS } from "./limits.ts";
import {
  BOT,
  channelOf,
  messageJson,
  newTs,
  newView,
  next,
  showModal,
  type OpenView,
  type SlackMessage,
  type SlackWorld,
  TEAM,
  viewJson,
} from "./world.ts";

class SlackRefusal extends Error {
  override readonly name = "SlackRefusal";
  readonly messages: readonly string[];

  constructor(code: string, messages: readonly string[] = []) {
    super(code);
    this.messages = messages;
  }
}

/** Slack says no with 200. */
export function slackError(error: string, messages: readonly string[] = []): PlainAnswer {
  const details = {
    errors: messages,
    response_metadata: { messages: messages.map((each) => `[ERROR] ${each}`) },
  };
  return { status: 200, body: { ok: false, error, ...(messages.length === 0 ? {} : details) } };
}

type Run = (world: SlackWorld, fields: Fields) => Fields;
const POSTED = [
  "channel",
  "text",
  "blocks",
  "thread_ts",
  "reply_broadcast",
  "unfurl_links",
  "unfurl_media",
  "mrkdwn",
  "parse",
  "metadata",
];
/** The fields are those that a method has: Slack ignores others, where a misspelt one should be seen. */
const METHODS: Readonly<Record<string, readonly [fields: readonly string[], run: Run]>> = {
  "auth.test": [[], () => ({ user_id: BOT.userId, bot_id: BOT.id, team_id: TEAM.id, user: "interlude" })],
  "chat.postMessage": [POSTED, post],
  "chat.postEphemeral": [[...POSTED, "user"], postEphemeral],
  "chat.update": [["channel", "ts", "text", "blocks", "metadata"], update],
  "chat.delete": [["channel", "ts"], remove],
  "conversations.open": [["users", "return_im"], open],
  "users.info": [["user"], userInfo],
  "views.open": [["trigger_id", "view"], (world, fields) => openView(world, fields, false)],
  "views.push": [["trigger_id", "view"], (world, fields) => openView(world, fields, true)],
  "views.update": [["view_id", "external_id", "view", "hash"], updateView],
};

export function receiveSlack(world: SlackWorld, received: Received): NamedRequest {
  const operation = received.path.replace(/^\/api\//, "");
  const method = METHODS[operation];
  const body = bodyFields(received);
  const values = body.values ?? {};
  // In a form, structures are JSON text.
  const structured = (value: unknown): unknown => (typeof value === "string" ? parseJson(value) : value);
  const fields: Fields = { ...Object.fromEntries(received.query), ...values };
  for (const name of ["blocks", "view"]) if (name in fields) fields[name] = structured(fields[name]) ?? false;
  const token = received.header("authorization")?.replace(/^Bearer /, "") ?? textOf(fields["token"]);
  delete fields["token"];
  const isMessage = operation === "chat.postMessage" || operation === "chat.postEphemeral";
  return {
    operation,
    fields,
    ...(isMessage ? { conversation: textOf(fields["channel"]) ?? "" } : {}),
    answer: () => {
      if (method === undefined) return slackError("unknown_method");
      if (token === undefined || token === "") return slackError("not_authed");
      if (token !== world.botToken) return slackError("invalid_auth");
      if (body.values === undefined) return slackError("invalid_json");
      const [known, run] = method;
      const unknown = Object.keys(fields).find((name) => !known.includes(name));
      if (unknown !== undefined) return slackError("invalid_arguments", [`unknown field: ${unknown}`]);
      return refusing(() => run(world, fields));
    },
  };
}

function refusing(run: () => Fields): Answer {
  try {
    return { status: 200, body: { ok: true, ...run() } };
  } catch (error) {
    if (error instanceof SlackRefusal) return slackError(error.message, error.messages);
    throw error;
  }
}

function required(fields: Fields, name: string): string {
  const value = textOf(fields[name]);
  if (value === undefined || value === "") {
    throw new SlackRefusal("invalid_arguments", [`missing required field: ${name}`]);
  }
  return value;
}

function readContent(fields: Fields): { text: string; blocks: readonly SlackBlock[] } {
  const text = textOf(fields["text"]) ?? "";
  const blocks = readBlocks(fields["blocks"]);
  if (text === "" && blocks.length === 0) throw new SlackRefusal("no_text");
  // Slack would cut it: what is lost in silence is refused here.
  if (exceeds(LIMITS.text, text.length)) throw new SlackRefusal("msg_too_long");
  return { text, blocks };
}

function readBlocks(given: unknown): readonly SlackBlock[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw new SlackRefusal("invalid_blocks_format");
  const parsed = MessageBlocks.safeParse(given);
  if (!parsed.success) throw new SlackRefusal("invalid_blocks", slackMessages(parsed.error, "blocks"));
  const faults = furtherFaults(parsed.data, undefined);
  if (faults.length > 0) throw new SlackRefusal("invalid_blocks", faults);
  if (exceeds(LIMITS.allBlocksCharacters, JSON.stringify(given).length)) {
    throw new SlackRefusal("msg_blocks_too_long");
  }
  return parsed.data;
}

function add(world: SlackWorld, fields: Fields, onlyFor?: string): SlackMessage {
  const channel = channelOf(world, required(fields, "channel"));
  if (channel === undefined) throw new SlackRefusal("channel_not_found");
  const content = readContent(fields);
  const threadTs = textOf(fields["thread_ts"]);
  const hasThread = world.messages.some(({ channel: at, ts }) => at === channel.id && ts === threadTs);
  if (threadTs !== undefined && !hasThread) throw new SlackRefusal("thread_not_found");
  const blocks = content.blocks.map((each) => ({ ...each, block_id: each.block_id ?? `b${next(world)}` }));
  const message: SlackMessage = {
    ...content,
    blocks,
    ts: newTs(world),
    channel: channel.id,
    author: undefined,
    atMs: world.nowMs(),
    threadTs,
    onlyFor,
    isEdited: false,
    reactions: [],
  };
  world.messages.push(message);
  return message;
}

function post(world: SlackWorld, fields: Fields): Fields {
  const message = add(world, fields);
  return { channel: message.channel, ts: message.ts, message: messageJson(message) };
}

function postEphemeral(world: SlackWorld, fields: Fields): Fields {
  const user = required(fields, "user");
  const isThere = channelOf(world, fields["channel"])?.people.some(({ id }) => id === user);
  if (isThere === false) throw new SlackRefusal("user_not_in_channel");
  return { message_ts: add(world, fields, user).ts };
}

function own(world: SlackWorld, fields: Fields): SlackMessage {
  const channel = channelOf(world, required(fields, "channel"));
  if (channel === undefined) throw new SlackRefusal("channel_not_found");
  const ts = required(fields, "ts");
  const message = world.messages.find((each) => each.channel === channel.id && each.ts === ts);
  if (message === undefined || message.onlyFor !== undefined) throw new SlackRefusal("message_not_found");
  if (message.author !== undefined) throw new SlackRefusal("cant_update_message");
  return message;
}

function update(world: SlackWorld, fields: Fields): Fields {
  const message = own(world, fields);
  const content = readContent(fields);
  const escaped = content.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  if (exceeds(LIMITS.updatedTextBytes, Buffer.byteLength(escaped))) throw new SlackRefusal("msg_too_long");
  message.text = content.text;
  // An update with text only keeps the blocks away.
  message.blocks = content.blocks;
  message.isEdited = true;
  return { channel: message.channel, ts: message.ts, text: message.text, message: messageJson(message) };
}

function remove(world: SlackWorld, fields: Fields): Fields {
  const message = own(world, fields);
  world.messages.splice(world.messages.indexOf(message), 1);
  return { channel: message.channel, ts: message.ts };
}

function open(world: SlackWorld, fields: Fields): Fields {
  const channel = channelOf(world, required(fields, "users"));
  if (channel?.kind !== "direct") throw new SlackRefusal("user_not_found");
  return { channel: { id: channel.id } };
}

function userInfo(world: SlackWorld, fields: Fields): Fields {
  const id = required(fields, "user");
  const user = world.channels.flatMap(({ people }) => people).find((each) => each.id === id);
  if (user === undefined) throw new SlackRefusal("user_not_found");
  return { user: { ...user, real_name: user.name, team_id: TEAM.id, is_bot: false, tz: "UTC" } };
}

function modalIn(given: unknown): OpenView["modal"] {
  if (!isFields(given)) throw new SlackRefusal("invalid_arguments", ["missing required field: view"]);
  const read = readModal(given);
  if ("faults" in read) throw new SlackRefusal("invalid_arguments", read.faults);
  return read.modal;
}

function openView(world: SlackWorld, fields: Fields, isPushed: boolean): Fields {
  const trigger = world.triggers.get(required(fields, "trigger_id"));
  if (trigger === undefined) throw new SlackRefusal("invalid_trigger_id");
  if (trigger.isUsed) throw new SlackRefusal("exchanged_trigger_id");
  if (exceeds(LIMITS.triggerLifeMs, world.nowMs() - trigger.atMs))
    throw new SlackRefusal("expired_trigger_id");
  const modal = modalIn(fields["view"]);
  const stack = isPushed ? world.views : [];
  if (exceeds(LIMITS.viewStack, stack.length + 1)) throw new SlackRefusal("push_limit_reached");
  trigger.isUsed = true;
  const view = newView(world, trigger.user, modal);
  world.views = [...stack, view];
  return { view: viewJson(view) };
}

function updateView(world: SlackWorld, fields: Fields): Fields {
  const view = world.views.find(({ id }) => id === fields["view_id"]);
  if (view === undefined) throw new SlackRefusal("not_found");
  const hash = textOf(fields["hash"]);
  if (hash !== undefined && hash !== view.hash) throw new SlackRefusal("hash_conflict");
  showModal(world, view, modalIn(fields["view"]));
  return { view: viewJson(view) };
}
