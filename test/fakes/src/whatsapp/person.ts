import type { ChatView, ControlView, MessageView } from "../core/chat-view.ts";
import type { Fields } from "../core/json.ts";
import { type Happened, PersonCannot, type PersonSide, type Submitted } from "../core/person.ts";
import { flowParametersOf } from "./flows.ts";
import { formView, goBack, goOn, openFlow } from "./open-flow.ts";
import type { WhatsAppWebhooks } from "./webhooks.ts";
import { addMessage, NUMBER, type StoredMessage, unixSeconds, type WhatsAppWorld } from "./world.ts";

type Written = Readonly<{
  person: string;
  text: string;
  /** What Meta says of it. */
  content: Fields;
  replyTo?: string;
  media?: StoredMessage["media"];
}>;

/** A person's phone. */
export function createWhatsAppPerson(
  world: WhatsAppWorld,
  webhooks: WhatsAppWebhooks,
  changed: () => void,
): PersonSide {
  const write = (written: Written) => writeMessage(world, webhooks, changed, written);
  return {
    see: () => see(world),
    type: ({ conversation: person, text, replyTo }) =>
      write({
        person,
        text,
        content: { type: "text", text: { body: text } },
        ...(replyTo === undefined ? {} : { replyTo }),
      }),
    tap: async ({ conversation: person, message: id, control }) => {
      const message = find(world, id, person);
      const tapped = controlsOf(message).find((each) => each.id === control || each.label === control);
      if (tapped === undefined) throw new PersonCannot(`message ${id} has no control "${control}"`);
      if (tapped.kind === "link") return { deliveries: [], opened: tapped.url ?? "" };
      if (tapped.reply !== undefined) {
        const content = { type: "interactive", interactive: tapped.reply };
        return write({ person, text: tapped.label, content, replyTo: id });
      }
      openFlow(world, message);
      changed();
      return { deliveries: [], shown: tapped.label };
    },
    react: async ({ conversation: person, message: id, emoji }) => {
      find(world, id, person).reactions.push(emoji);
      const reaction = { message_id: id, emoji };
      const content = { from: person, id: `${id}.reaction`, type: "reaction", reaction };
      const delivery = await webhooks.tell("message", { messages: [content] });
      return { deliveries: [delivery] };
    },
    sendMedia: ({ conversation: person, kind, url, caption, contentType, replyTo }) =>
      write({
        person,
        text: caption ?? "",
        media: [{ kind, url }],
        content: {
          type: kind,
          [kind]: {
            id: `media-${world.messages.length}`,
            mime_type: contentType ?? "image/jpeg",
            ...(caption === undefined ? {} : { caption }),
          },
        },
        ...(replyTo === undefined ? {} : { replyTo }),
      }),
    submit: (submitted) => submit(world, write, changed, submitted),
    press: ({ form, button, values }) => {
      const isBack = button.toLowerCase() === "back" && formView(world)?.id === form;
      if (!isBack || !goBack(world, values)) throw new PersonCannot(`there is no way ${button} in ${form}`);
      changed();
      return Promise.resolve({ deliveries: [], shown: formView(world)?.title ?? "" });
    },
    dismiss: () => {
      world.openForm = undefined;
      changed();
      return Promise.resolve({ deliveries: [] });
    },
  };
}

function find({ messages }: WhatsAppWorld, id: string, person: string): StoredMessage {
  const message = messages.find((each) => each.id === id && each.person === person);
  if (message === undefined) throw new PersonCannot(`there is no message ${id}`);
  return message;
}

async function writeMessage(
  world: WhatsAppWorld,
  webhooks: WhatsAppWebhooks,
  changed: () => void,
  { person, text, content, replyTo, media = [] }: Written,
): Promise<Happened> {
  const name = world.people.get(person);
  if (name === undefined) throw new PersonCannot(`there is no number ${person}`);
  const status = undefined;
  const stored = addMessage(world, { person, fromApp: false, text, replyTo, sent: undefined, media, status });
  changed();
  const context = replyTo === undefined ? {} : { context: { from: NUMBER, id: replyTo } };
  const message = {
    from: person,
    id: stored.id,
    timestamp: unixSeconds(stored.atMs),
    ...context,
    ...content,
  };
  const delivery = await webhooks.tell("message", {
    contacts: [{ profile: { name }, wa_id: person }],
    messages: [message],
  });
  return { deliveries: [delivery], message: stored.id };
}

/** `form` is the id of the message that holds the Flow. */
async function submit(
  world: WhatsAppWorld,
  write: (written: Written) => Promise<Happened>,
  changed: () => void,
  { form, values }: Submitted,
): Promise<Happened> {
  const step = formView(world)?.id === form ? goOn(world, values) : undefined;
  if (step === undefined) throw new PersonCannot(`the form ${form} is not open`);
  if (step.kind === "faults") {
    return { deliveries: [], errors: step.errors, shown: "The form is not complete" };
  }
  if (step.kind === "screen") {
    changed();
    return { deliveries: [], shown: formView(world)?.title ?? "" };
  }
  const response_json = JSON.stringify(step.response);
  const interactive = { type: "nfm_reply", nfm_reply: { name: "flow", body: "Sent", response_json } };
  const content = { type: "interactive", interactive };
  return write({ person: step.message.person, text: "Form sent", content, replyTo: form });
}

type Control = ControlView & Readonly<{ reply?: Fields }>;

function controlsOf(message: StoredMessage): Control[] {
  const { sent } = message;
  if (sent?.type !== "interactive") return [];
  const { interactive } = sent;
  switch (interactive.type) {
    case "button":
      return interactive.action.buttons.map(({ reply: { id, title } }) => ({
        id,
        label: title,
        kind: "tap",
        reply: { type: "button_reply", button_reply: { id, title } },
      }));
    case "list": {
      const rows = interactive.action.sections.flatMap((section) => section.rows);
      return rows.map((row) => ({
        id: row.id,
        label: row.title,
        kind: "tap",
        list: interactive.action.button,
        ...(row.description === undefined ? {} : { detail: row.description }),
        reply: { type: "list_reply", list_reply: row },
      }));
    }
    case "cta_url": {
      const { display_text: label, url } = interactive.action.parameters;
      return [{ id: "link", label, kind: "link", url }];
    }
    case "flow":
      return [{ id: "form", label: flowParametersOf(message)?.flow_cta ?? "", kind: "tap" }];
  }
}

function see(world: WhatsAppWorld): ChatView {
  const form = formView(world);
  return {
    provider: "whatsapp",
    title: "WhatsApp",
    ...(form === undefined ? {} : { form }),
    conversations: [...world.people].map(([id, name]) => ({
      id,
      name,
      kind: "direct",
      people: [{ id, name }],
      messages: world.messages.filter(({ person }) => person === id).map((each) => messageView(each, name)),
    })),
  };
}

function messageView(message: StoredMessage, name: string): MessageView {
  const { id, fromApp, text, atMs, media, reactions, replyTo, status } = message;
  const controls = controlsOf(message).map(({ reply: _reply, ...control }) => control);
  return {
    id,
    author: fromApp ? "Interlude" : name,
    fromApp,
    text,
    atMs,
    media,
    controls,
    reactions,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(status === undefined ? {} : { status }),
  };
}
