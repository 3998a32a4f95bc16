import type { ChatView, MessageView } from "../core/chat-view.ts";
import type { Fields } from "../core/json.ts";
import type { Delivery } from "../core/outbox.ts";
import { type Happened, PersonCannot, type PersonSide, type TapOn, type Typed } from "../core/person.ts";
import { blockText, controlsOf } from "./block-view.ts";
import { formView, type Parts, press, submit, viewOf } from "./views.ts";
import {
  BOT,
  channelOf,
  messageJson,
  newTs,
  next,
  type SlackChannel,
  type SlackMessage,
  type SlackUser,
  type SlackWorld,
  viewJson,
} from "./world.ts";

export function createSlackPerson(parts: Parts): PersonSide {
  const { world, webhooks, runtime } = parts;
  return {
    see: () => see(world),
    tap: (on) => tap(parts, on),
    type: (typed) => write(parts, typed),
    submit: ({ form, values }) => submit(parts, form, values),
    press: ({ form, button, values }) => press(parts, form, button, values),
    async dismiss(form) {
      const view = viewOf(world, form);
      world.views = world.views.filter((each) => each !== view);
      runtime.feed.changed();
      if (view.modal.notify_on_close !== true) return { deliveries: [] };
      return told(
        await webhooks.interact("view_closed", view.user, { view: viewJson(view), is_cleared: false }),
      );
    },
    async react({ conversation, message, emoji, as }) {
      const at = find(world, conversation, message);
      const user = userIn(conversationOf(world, conversation), as);
      at.reactions.push(emoji);
      runtime.feed.changed();
      const item = { type: "message", channel: at.channel, ts: at.ts };
      return told(
        await webhooks.event({
          type: "reaction_added",
          user: user.id,
          reaction: emoji,
          item,
          event_ts: newTs(world),
        }),
      );
    },
    sendMedia: ({ caption, url, kind, contentType, ...typed }) =>
      write(
        parts,
        { ...typed, text: caption ?? "" },
        {
          subtype: "file_share",
          files: [
            { id: `F${next(world)}`, name: kind, mimetype: contentType ?? TYPES[kind], url_private: url },
          ],
        },
      ),
  };
}

/** As Slack tells of what a person uploads. */
const TYPES = { image: "image/png", document: "application/pdf", video: "video/mp4", audio: "audio/mpeg" };

const told = (delivery: Delivery): Happened => ({ deliveries: [delivery] });

function conversationOf(world: SlackWorld, id: string): SlackChannel {
  const channel = channelOf(world, id);
  if (channel === undefined) throw new PersonCannot(`there is no channel ${id}`);
  return channel;
}

function userIn({ people, id }: SlackChannel, as: string | undefined): SlackUser {
  const user = as === undefined ? people[0] : people.find((each) => each.id === as || each.name === as);
  if (user === undefined) throw new PersonCannot(`${as ?? ""} is not in channel ${id}`);
  return user;
}

function find(world: SlackWorld, conversation: string, ts: string): SlackMessage {
  const channel = conversationOf(world, conversation);
  const message = world.messages.find((each) => each.channel === channel.id && each.ts === ts);
  if (message === undefined) throw new PersonCannot(`there is no message ${ts} in channel ${conversation}`);
  return message;
}

/** What a person types comes with Slack's marks: three characters escaped, addresses in angle brackets. */
function marked(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replace(/https?:\/\/[^\s<>]+/g, (url) => `<${url}>`);
}

async function write(
  { world, webhooks, runtime }: Parts,
  typed: Typed,
  more: Fields = {},
): Promise<Happened> {
  const channel = conversationOf(world, typed.conversation);
  const user = userIn(channel, typed.as);
  const replied = typed.replyTo === undefined ? undefined : find(world, typed.conversation, typed.replyTo);
  const message: SlackMessage = {
    ts: newTs(world),
    channel: channel.id,
    author: user,
    atMs: world.nowMs(),
    threadTs: replied?.threadTs ?? replied?.ts,
    onlyFor: undefined,
    text: marked(typed.text),
    blocks: [],
    isEdited: false,
    reactions: [],
  };
  world.messages.push(message);
  runtime.feed.changed();
  const delivery = await webhooks.event({
    ...messageJson(message),
    ...more,
    channel: channel.id,
    event_ts: message.ts,
    channel_type: channel.kind === "direct" ? "im" : "channel",
  });
  return { deliveries: [delivery], message: message.ts };
}

async function tap({ world, webhooks }: Parts, on: TapOn): Promise<Happened> {
  const message = find(world, on.conversation, on.message);
  const user = userIn(conversationOf(world, on.conversation), on.as);
  const control = controlsOf(message.blocks).find(({ id, label, value }) =>
    [id, label, value].includes(on.control),
  );
  if (control === undefined) throw new PersonCannot(`message ${on.message} has no control "${on.control}"`);
  const container = {
    type: "message",
    message_ts: message.ts,
    channel_id: message.channel,
    is_ephemeral: false,
  };
  // A link's tap is told too: it must be acknowledged as any other.
  const delivery = await webhooks.interact("block_actions", user, {
    container,
    channel: { id: message.channel, name: conversationOf(world, on.conversation).name },
    message: messageJson(message),
    state: { values: {} },
    actions: [{ ...control.action, action_ts: newTs(world) }],
  });
  return { ...told(delivery), ...(control.url === undefined ? {} : { opened: control.url }) };
}

function see(world: SlackWorld): ChatView {
  const front = world.views.at(-1);
  return {
    provider: "slack",
    title: "Slack",
    conversations: world.channels.map(({ id, name, kind, people }) => ({
      id,
      name,
      kind,
      people,
      messages: world.messages.filter(({ channel }) => channel === id).map(view),
    })),
    ...(front === undefined ? {} : { form: formView(front) }),
  };
}

function view(message: SlackMessage): MessageView {
  const shown = message.blocks.map(blockText).filter((text) => text !== "");
  const pictures = message.blocks.flatMap((block) => (block.type === "image" ? [block] : []));
  return {
    id: message.ts,
    author: message.author?.name ?? BOT.name,
    fromApp: message.author === undefined,
    text: shown.length === 0 ? message.text : shown.join("\n"),
    atMs: message.atMs,
    isEdited: message.isEdited,
    isPrivate: message.onlyFor !== undefined,
    media: pictures.map(({ image_url: url, alt_text: name }) => ({ kind: "image", url, name })),
    controls: controlsOf(message.blocks).map(({ value: _value, action: _action, ...control }) => control),
    reactions: message.reactions,
    ...(message.threadTs === undefined ? {} : { replyTo: message.threadTs }),
  };
}
