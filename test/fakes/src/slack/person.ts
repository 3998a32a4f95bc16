import type { ChatView, ControlView, FormFieldView, FormView, MessageView } from "../core/chat-view.ts";
import { type Fields, isFields, parseJson, textOf } from "../core/json.ts";
import type { Delivery } from "../core/outbox.ts";
import { type Happened, PersonCannot, type PersonSide, type TapOn, type Typed } from "../core/person.ts";
import type { Runtime } from "../core/start-fake.ts";
import type { SlackBlock } from "./blocks.ts";
import type { SlackWebhooks } from "./webhooks.ts";
import {
  BOT,
  channelOf,
  messageJson,
  newTs,
  next,
  type OpenView,
  type SlackChannel,
  type SlackMessage,
  type SlackUser,
  type SlackWorld,
  viewJson,
} from "./world.ts";

type Parts = Readonly<{ world: SlackWorld; webhooks: SlackWebhooks; runtime: Runtime }>;
type InputBlock = Extract<SlackBlock, { type: "input" }>;
type Control = ControlView & Readonly<{ value: string | undefined; action: Fields }>;

export function createSlackPerson(parts: Parts): PersonSide {
  const { world, webhooks, runtime } = parts;
  return {
    see: () => see(world),
    tap: (on) => tap(parts, on),
    type: (typed) => write(parts, typed),
    submit: ({ form, values }) => submit(parts, form, values),
    press: ({ button }) => Promise.reject(new PersonCannot(`there is no button ${button}`)),
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

function controlsOf(blocks: readonly SlackBlock[]): Control[] {
  return blocks.flatMap((block) => {
    const elements =
      block.type === "actions" ? block.elements : block.type === "section" ? [block.accessory] : [];
    return elements.flatMap((element, place): Control[] => {
      if (element === undefined || element.type === "image" || element.type === "datepicker") return [];
      const id = `${block.block_id ?? ""}:${element.action_id ?? place}`;
      const action = {
        block_id: block.block_id,
        action_id: element.action_id ?? String(place),
        type: element.type,
      };
      if (element.type === "button") {
        const { url, value, text } = element;
        const base = { id, label: text.text, value, action: { ...action, text, value } };
        return [url === undefined ? { ...base, kind: "tap" } : { ...base, kind: "link", url }];
      }
      return element.options.map((option) => ({
        id: `${id}:${option.value}`,
        label: option.text.text,
        kind: "tap",
        value: option.value,
        ...(element.type === "static_select" ? { list: element.placeholder?.text ?? "Choose" } : {}),
        action: { ...action, selected_option: option },
      }));
    });
  });
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

function viewOf(world: SlackWorld, form: string): OpenView {
  const view = world.views.find(({ id }) => id === form);
  if (view === undefined) throw new PersonCannot(`the form ${form} is not open`);
  return view;
}

function inputsOf({ modal }: OpenView): { id: string; block: InputBlock }[] {
  return modal.blocks.flatMap((block) =>
    block.type === "input" ? [{ id: block.block_id ?? "", block }] : [],
  );
}

async function submit(
  { world, webhooks, runtime }: Parts,
  form: string,
  values: Readonly<Record<string, string>>,
): Promise<Happened> {
  const view = viewOf(world, form);
  const state: Fields = {};
  for (const { id, block } of inputsOf(view)) {
    const value = values[id] ?? values[block.label.text] ?? "";
    if (value === "" && block.optional !== true) {
      throw new PersonCannot(`Slack's form asks for "${block.label.text}" before it can be sent`);
    }
    state[id] = { [block.element.action_id ?? "a"]: entered(block, value) };
  }
  const delivery = await webhooks.interact("view_submission", view.user, {
    view: viewJson(view, state),
    response_urls: [],
  });
  const outcome = delivery.attempts.at(-1)?.outcome;
  if (outcome?.kind !== "answered" || outcome.status !== 200) {
    return { ...told(delivery), shown: "We had some trouble connecting. Try again?" };
  }
  const reply = parseJson(outcome.body);
  view.errors = errorsIn(reply);
  const staysOpen = isFields(reply) && reply["response_action"] === "errors";
  if (!staysOpen) world.views = world.views.filter((each) => each !== view);
  runtime.feed.changed();
  return { ...told(delivery), ...(staysOpen ? { errors: view.errors } : {}) };
}

function errorsIn(reply: unknown): Record<string, string> {
  const errors = isFields(reply) && isFields(reply["errors"]) ? reply["errors"] : {};
  return Object.fromEntries(Object.entries(errors).map(([id, text]) => [id, textOf(text) ?? ""] as const));
}

function entered({ element }: InputBlock, value: string): Fields {
  const { type } = element;
  if (type === "datepicker") return { type, selected_date: value === "" ? null : value };
  if (!("options" in element)) return { type, value: value === "" ? null : value };
  const chosen = element.options.filter((option) => [option.value, option.text.text].includes(value));
  if (value !== "" && chosen.length === 0) throw new PersonCannot(`there is no choice "${value}"`);
  return type === "checkboxes"
    ? { type, selected_options: chosen }
    : { type, selected_option: chosen[0] ?? null };
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

function blockText(block: SlackBlock): string {
  if (block.type === "markdown") return block.text;
  if (block.type === "header") return block.text.text;
  if (block.type === "section") {
    return [block.text, ...(block.fields ?? [])].flatMap((each) => each?.text ?? []).join("\n");
  }
  if (block.type !== "context") return "";
  return block.elements.map((each) => (each.type === "image" ? "" : each.text)).join(" ");
}

function formView(open: OpenView): FormView {
  const { id, modal, errors } = open;
  return {
    id,
    title: modal.title.text,
    submit: modal.submit?.text ?? "Submit",
    texts: modal.blocks.map(blockText).filter((text) => text !== ""),
    fields: inputsOf(open).map(({ id: name, block }) => fieldView(name, block, errors[name])),
  };
}

function fieldView(id: string, block: InputBlock, error: string | undefined): FormFieldView {
  const { element, label, hint, optional } = block;
  const first =
    "initial_value" in element
      ? element.initial_value
      : "initial_option" in element
        ? element.initial_option?.value
        : "initial_date" in element
          ? element.initial_date
          : undefined;
  return {
    id,
    label: label.text,
    kind: "options" in element ? "choice" : element.type === "number_input" ? "number" : "text",
    isRequired: optional !== true,
    isLong: "multiline" in element && element.multiline === true,
    ...(hint === undefined ? {} : { hint: hint.text }),
    ...(first === undefined ? {} : { value: first }),
    ...(error === undefined ? {} : { error }),
    ...("options" in element
      ? { options: element.options.map(({ value, text }) => ({ value, label: text.text })) }
      : {}),
  };
}
