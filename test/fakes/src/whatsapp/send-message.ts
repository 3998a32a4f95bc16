import type { PlainAnswer } from "../core/exchange.ts";
import type { Fields } from "../core/json.ts";
import { exceeds } from "../core/limit.ts";
import { WHATSAPP_LIMITS as LIMITS } from "./limits.ts";
import { WhatsAppMessage } from "./message-schema.ts";
import { addMessage, metaError, type StoredFlow, type StoredMessage, type WhatsAppWorld } from "./world.ts";

const OUTSIDE =
  "Message failed to send because more than 24 hours have passed since the customer last replied to this number.";

/** POST …/{phone number}/messages */
export function sendMessage(
  world: WhatsAppWorld,
  fields: Fields,
): { answer: PlainAnswer; stored?: StoredMessage; isLate?: boolean } {
  const parsed = WhatsAppMessage.safeParse({ type: "text", ...fields });
  if (!parsed.success) return { answer: refusedShape(parsed.error.issues[0]) };
  const message = parsed.data;
  const person = message.to.replace(/^\+/, "");
  const refusal = refuse(world, message, person);
  const isLate = refusal !== undefined && world.settings.refusesLater && refusal.code === 131047;
  if (refusal !== undefined && !isLate) return { answer: refusal.answer };
  const stored = addMessage(world, {
    person,
    fromApp: true,
    text: textIn(message),
    replyTo: message.context?.message_id,
    sent: message,
    media: mediaIn(message),
    status: "accepted",
  });
  const contacts = [{ input: message.to, wa_id: person }];
  const body = { messaging_product: "whatsapp", contacts, messages: [{ id: stored.id }] };
  return { answer: { status: 200, body }, stored, isLate };
}

type Issue = Readonly<{
  code?: string;
  message: string;
  path: readonly PropertyKey[];
  keys?: readonly string[];
}>;

function refusedShape(issue: Issue | undefined): PlainAnswer {
  const details = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
  if (issue?.code === "unrecognized_keys") {
    return metaError(400, 100, `Unexpected key "${(issue.keys ?? []).join(", ")}"`, details);
  }
  if (details.includes("received undefined"))
    return metaError(400, 131008, "Required parameter is missing", details);
  return metaError(400, 131009, "Parameter value is not valid", details);
}

function refuse(
  world: WhatsAppWorld,
  message: WhatsAppMessage,
  person: string,
): { code: number; answer: PlainAnswer } | undefined {
  const no = (status: number, code: number, title: string, details?: string) => ({
    code,
    answer: metaError(status, code, title, details),
  });
  // A number in trial writes to those on its list only.
  if (!world.people.has(person)) return no(400, 131030, "Recipient phone number not in allowed list");
  if (message.type === "template") return refuseTemplate(world, message.template, no);
  const last = world.messages.filter((each) => each.person === person && !each.fromApp).at(-1);
  const isOpen = last !== undefined && !exceeds(LIMITS.windowMs, world.nowMs() - last.atMs);
  if (!isOpen) return no(400, 131047, "Re-engagement message", OUTSIDE);
  const replyTo = message.context?.message_id;
  if (replyTo !== undefined && !world.messages.some(({ id }) => id === replyTo)) {
    return no(400, 131009, "Parameter value is not valid", "context.message_id: there is no such message");
  }
  if (message.type !== "interactive" || message.interactive.type !== "flow") return undefined;
  const { flow_id, flow_name, flow_action_payload } = message.interactive.action.parameters;
  const flow = world.flows.find(({ id, name }) => id === flow_id || name === flow_name);
  if (flow === undefined) {
    return no(400, 131009, "Parameter value is not valid", "The Flow does not exist or is not published");
  }
  const fault = payloadFault(flow, flow_action_payload);
  return fault === undefined ? undefined : no(400, 131009, "Parameter value is not valid", fault);
}

/** https://developers.facebook.com/docs/whatsapp/flows/guides/sendingaflow: the first screen, with the data it has. */
function payloadFault(
  { json }: StoredFlow,
  payload: Readonly<{ screen: string; data?: Readonly<Fields> | undefined }> | undefined,
): string | undefined {
  const [first] = json.screens;
  if (payload === undefined || first === undefined) return undefined;
  if (payload.screen !== first.id)
    return `flow_action_payload.screen: "${payload.screen}" is not the first screen`;
  const wanted = Object.entries(first.data ?? {});
  const given = Object.entries(payload.data ?? {});
  if (payload.data !== undefined && given.length === 0) return "flow_action_payload.data: must not be empty";
  const stranger = given.find(([key]) => !wanted.some(([name]) => name === key));
  if (stranger !== undefined) return `flow_action_payload.data: screen has no "${stranger[0]}"`;
  const wrong = wanted.find(([name, { type }]) => {
    const value = payload.data?.[name];
    return (Array.isArray(value) ? "array" : typeof value) !== type;
  });
  return wrong === undefined
    ? undefined
    : `flow_action_payload.data: "${wrong[0]}" must be of type ${wrong[1].type}`;
}

type Template = Extract<WhatsAppMessage, { type: "template" }>["template"];

function refuseTemplate<T>(
  { settings }: WhatsAppWorld,
  { name, language, components = [] }: Template,
  no: (status: number, code: number, title: string, details?: string) => T,
): T | undefined {
  const known = settings.templates.find((each) => each.name === name && each.language === language.code);
  if (known === undefined) return no(404, 132001, "Template name does not exist in the translation");
  const texts = components.flatMap(({ parameters }) => parameters.map(({ text }) => text));
  if (texts.length !== known.parameters) {
    return no(400, 132000, "Number of parameters does not match the expected number of params");
  }
  if (texts.some((text) => /[\n\t]| {5}/.test(text))) {
    return no(
      400,
      132018,
      "Param text cannot have new-line/tab characters or more than 4 consecutive spaces",
    );
  }
  if (!exceeds(LIMITS.templateBody, texts.join("").length)) return undefined;
  return no(400, 132005, "Translated text too long");
}

function textIn(message: WhatsAppMessage): string {
  switch (message.type) {
    case "text":
      return message.text.body;
    case "interactive":
      return message.interactive.body.text;
    case "template": {
      const parameters = (message.template.components ?? []).flatMap((each) => each.parameters);
      return [`[template ${message.template.name}]`, ...parameters.map(({ text }) => text)].join(" ");
    }
    case "image":
      return message.image.caption ?? "";
    case "video":
      return message.video.caption ?? "";
    case "document":
      return message.document.caption ?? "";
    case "audio":
      return "";
  }
}

function mediaIn(message: WhatsAppMessage): StoredMessage["media"] {
  const item = (kind: string, { link, id }: { link?: string | undefined; id?: string | undefined }) => ({
    kind,
    url: link ?? `media:${id ?? ""}`,
  });
  switch (message.type) {
    case "image":
      return [item("image", message.image)];
    case "video":
      return [item("video", message.video)];
    case "audio":
      return [item("audio", message.audio)];
    case "document": {
      const { filename } = message.document;
      return [
        { ...item("document", message.document), ...(filename === undefined ? {} : { name: filename }) },
      ];
    }
    case "text":
    case "interactive":
    case "template":
      return [];
  }
}
