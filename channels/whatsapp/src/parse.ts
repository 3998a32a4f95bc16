import {
  type Inbound,
  type InboundMedia,
  type ParsedDelivery,
  parseOptionToken,
  type WebhookDelivery,
} from "@interlude/channel-kit";
import { boundedParams } from "@interlude/contract";
import { z } from "zod";
import { whatsAppAddress } from "./address.ts";
import { parseFlowResponse } from "./parse-flow.ts";
import { NEEDS_OPENER } from "./refusals.ts";
import { answerHandshake } from "./verify.ts";

const Reply = z.object({ id: z.string(), title: z.string() });
const Media = z.object({ id: z.string(), mime_type: z.string().optional(), caption: z.string().optional() });

const Message = z.object({
  id: z.string().min(1),
  from: z.string().min(1),
  type: z.string(),
  timestamp: z.string().optional(),
  context: z.object({ id: z.string().optional() }).optional(),
  text: z.object({ body: z.string() }).optional(),
  button: z.object({ text: z.string(), payload: z.unknown() }).optional(),
  interactive: z
    .object({
      button_reply: Reply.optional(),
      list_reply: Reply.optional(),
      nfm_reply: z.object({ response_json: z.string() }).optional(),
    })
    .optional(),
  /** The advertisement or post that led the person here. */
  referral: z.record(z.string(), z.unknown()).optional().catch(undefined),
  image: Media.optional(),
  document: Media.optional(),
  video: Media.optional(),
  audio: Media.optional(),
  sticker: Media.optional(),
});
type Message = z.infer<typeof Message>;

const Status = z.object({
  id: z.string().min(1),
  status: z.string(),
  timestamp: z.string().optional(),
  errors: z.array(z.object({ code: z.number() })).optional(),
});

const Value = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  statuses: z.array(z.unknown()).optional(),
  messages: z.array(z.unknown()).optional(),
});
const Delivery = z.object({ entry: z.array(z.object({ changes: z.array(z.unknown()) })) });
const Change = z.object({ value: Value });

const STATUSES = ["sent", "delivered", "read", "failed"] as const;
const MEDIA_TYPES = ["image", "document", "video", "audio", "sticker"] as const;
/** What a person does that says nothing; anything else that is not known is a message without a text. */
const SILENT: ReadonlySet<string> = new Set(["reaction", "system", "unsupported", "ephemeral"]);

/** Unix seconds, in text. */
function at(timestamp: string | undefined): { atMs?: number } {
  return timestamp !== undefined && /^\d{1,12}$/.test(timestamp) ? { atMs: Number(timestamp) * 1_000 } : {};
}

function parseStatus(raw: unknown): Inbound {
  const parsed = Status.safeParse(raw);
  if (!parsed.success) return { kind: "ignored", reason: "a status that cannot be read" };
  const { id, status: told, timestamp, errors } = parsed.data;
  const updateId = `${id}:${told}`;
  const status = STATUSES.find((known) => known === told);
  if (status === undefined) return { kind: "ignored", updateId, reason: "a status that says nothing new" };
  const code = errors?.[0]?.code;
  return {
    kind: "status",
    updateId,
    messageId: id,
    status,
    ...(code === undefined ? {} : { code: String(code) }),
    ...(code === NEEDS_OPENER ? { needsOpener: true } : {}),
    ...at(timestamp),
  };
}

function mediaOf(message: Message): { media: InboundMedia[]; caption: string | undefined } {
  for (const type of MEDIA_TYPES) {
    const item = message[type];
    if (item === undefined) continue;
    const contentType = item.mime_type === undefined ? {} : { contentType: item.mime_type };
    return { media: [{ kind: type, id: item.id, ...contentType }], caption: item.caption };
  }
  const isKnown =
    message.text !== undefined || message.button !== undefined || message.interactive !== undefined;
  return { media: isKnown ? [] : [{ kind: message.type }], caption: undefined };
}

/** Those that say where the person comes from before what could be read there. */
const REFERRAL = [
  ...["source_type", "source_id", "source_url", "ctwa_clid", "headline", "body"],
  ...["media_type", "image_url", "video_url", "thumbnail_url"],
];

/** What came with the words: what a button stands for, and what led the person here. */
function paramsOf({ button, referral = {} }: Message, tappedId: string | undefined) {
  const led: Record<string, unknown> = {};
  for (const field of REFERRAL) led[`referral_${field}`] = referral[field];
  return boundedParams({ payload: button?.payload, reply_id: tappedId, ...led });
}

function parseMessage(raw: unknown): Inbound {
  const parsed = Message.safeParse(raw);
  if (!parsed.success) return { kind: "ignored", reason: "a message that cannot be read" };
  const message = parsed.data;
  const { id, from, type, context } = message;
  if (SILENT.has(type)) return { kind: "ignored", updateId: id, reason: `a ${type}` };
  const seen = { updateId: id, address: whatsAppAddress(from), from, ...at(message.timestamp) };
  const tapped = message.interactive?.button_reply ?? message.interactive?.list_reply;
  const token = tapped === undefined ? undefined : parseOptionToken(tapped.id);
  if (token !== undefined) return { kind: "tap", ...seen, messageId: context?.id ?? "", ...token };
  const flow = message.interactive?.nfm_reply?.response_json;
  const submitted = flow === undefined ? undefined : parseFlowResponse(flow);
  if (submitted !== undefined) return { kind: "submission", ...seen, ...submitted };
  const { media, caption } = mediaOf(message);
  const text = message.text?.body ?? message.button?.text ?? tapped?.title ?? caption;
  return {
    kind: "message",
    ...seen,
    messageId: id,
    isDirect: true,
    ...(text === undefined || text === "" ? {} : { text }),
    ...(media.length === 0 ? {} : { media }),
    ...(context?.id === undefined ? {} : { replyTo: context.id }),
    ...paramsOf(message, tapped?.id),
  };
}

/** What one change holds; one that cannot be read costs nothing of the others. */
function parseChange(raw: unknown, phoneNumberId: string): Inbound[] {
  const parsed = Change.safeParse(raw);
  if (!parsed.success) return [{ kind: "ignored", reason: "a change of another kind" }];
  const { metadata, statuses = [], messages = [] } = parsed.data.value;
  if (metadata.phone_number_id !== phoneNumberId) return [{ kind: "ignored", reason: "for another number" }];
  return [...statuses.map(parseStatus), ...messages.map(parseMessage)];
}

function parseJson(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(rawBody).toString("utf8"));
  } catch {
    return undefined;
  }
}

export function parseMeta(delivery: WebhookDelivery, phoneNumberId: string): ParsedDelivery {
  if (delivery.method === "GET") return { inbound: [], reply: answerHandshake(delivery.url) };
  const parsed = Delivery.safeParse(parseJson(delivery.rawBody));
  if (!parsed.success) return { inbound: [{ kind: "ignored", reason: "no delivery of messages" }] };
  const changes = parsed.data.entry.flatMap((entry) => entry.changes);
  return { inbound: changes.flatMap((change) => parseChange(change, phoneNumberId)) };
}
