import {
  type Inbound,
  type InboundMedia,
  type ParsedDelivery,
  sentMediaKind,
  type WebhookDelivery,
} from "@interlude/channel-kit";
import { z } from "zod";
import { parseInteraction, slackTime } from "./parse-interaction.ts";
import { typedText } from "./typed-text.ts";

const Challenge = z.object({ type: z.literal("url_verification"), challenge: z.string().min(1) });

const File = z.object({
  id: z.string().optional(),
  mimetype: z.string().optional(),
  url_private: z.string().optional(),
});

const Message = z.object({
  type: z.literal("message"),
  subtype: z.string().optional(),
  channel: z.string().min(1),
  channel_type: z.string().optional(),
  user: z.string().min(1).optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
  ts: z.string().min(1),
  thread_ts: z.string().optional(),
  files: z.array(File).optional(),
});
type Message = z.infer<typeof Message>;

const Event = z.object({
  type: z.literal("event_callback"),
  event_id: z.string().min(1),
  event: z.unknown(),
});

/** Of people; every other subtype is Slack's or an app's. */
const PEOPLES: ReadonlySet<string | undefined> = new Set([undefined, "thread_broadcast", "file_share"]);

function mediaOf({ files = [] }: Message): InboundMedia[] {
  return files.map(({ id, mimetype, url_private: url }) => ({
    kind: sentMediaKind(mimetype),
    ...(id === undefined ? {} : { id }),
    ...(url === undefined ? {} : { url }),
    ...(mimetype === undefined ? {} : { contentType: mimetype }),
  }));
}

function parseMessage(raw: unknown, updateId: string): Inbound {
  const ignored = (reason: string): Inbound => ({ kind: "ignored", updateId, reason });
  const parsed = Message.safeParse(raw);
  if (!parsed.success) return ignored("an event of another kind");
  const message = parsed.data;
  const { user, ts, thread_ts } = message;
  if (!PEOPLES.has(message.subtype)) return ignored("a message of another kind");
  if (message.bot_id !== undefined || user === undefined) return ignored("a bot's message");
  const media = mediaOf(message);
  const text = typedText(message.text ?? "");
  return {
    kind: "message",
    updateId,
    address: message.channel,
    from: user,
    messageId: ts,
    isDirect: message.channel_type === "im",
    ...slackTime(ts),
    ...(text === "" ? {} : { text }),
    ...(media.length === 0 ? {} : { media }),
    // A message that has a thread under it names itself.
    ...(thread_ts === undefined || thread_ts === ts ? {} : { replyTo: thread_ts }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseEvent(body: unknown): ParsedDelivery {
  const challenge = Challenge.safeParse(body);
  if (challenge.success) {
    const reply = JSON.stringify({ challenge: challenge.data.challenge });
    return { inbound: [], reply: { status: 200, body: reply, contentType: "application/json" } };
  }
  const event = Event.safeParse(body);
  if (!event.success) return { inbound: [{ kind: "ignored", reason: "no event" }] };
  return { inbound: [parseMessage(event.data.event, event.data.event_id)] };
}

/** Events come as JSON, interactions as a form that holds it. */
export function parseSlack({ rawBody }: Pick<WebhookDelivery, "rawBody">): ParsedDelivery {
  const text = Buffer.from(rawBody).toString("utf8");
  if (text.trimStart().startsWith("{")) return parseEvent(parseJson(text));
  const payload = new URLSearchParams(text).get("payload");
  if (payload === null) return { inbound: [{ kind: "ignored", reason: "no event" }] };
  return { inbound: [parseInteraction(parseJson(payload), text)] };
}
