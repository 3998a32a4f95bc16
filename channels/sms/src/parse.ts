import {
  type Inbound,
  type InboundMedia,
  type ParsedDelivery,
  sentMediaKind,
  type WebhookDelivery,
} from "@interlude/channel-kit";
import { smsAddress } from "./address.ts";

/** Says nothing back; Twilio wants a document for a message. */
const EMPTY_TWIML = {
  status: 200,
  body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
  contentType: "text/xml",
};

/** twilio.com/docs/messaging/api/message-resource#message-status-values; the others say nothing new. */
const STATUSES: ReadonlyMap<string, "sent" | "delivered" | "read" | "failed"> = new Map([
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["read", "read"],
  ["failed", "failed"],
  ["undelivered", "failed"],
]);

const MAX_MEDIA = 20;

function mediaOf(fields: URLSearchParams): InboundMedia[] {
  return Array.from({ length: MAX_MEDIA }, (_, index) => index).flatMap((index): InboundMedia[] => {
    const url = fields.get(`MediaUrl${index}`);
    const contentType = fields.get(`MediaContentType${index}`);
    if (url === null || url === "") return [];
    return [{ kind: sentMediaKind(contentType), url, ...(contentType === null ? {} : { contentType }) }];
  });
}

function statusOf(fields: URLSearchParams, messageId: string, told: string): Inbound {
  const updateId = `${messageId}:${told}`;
  const status = STATUSES.get(told);
  const code = fields.get("ErrorCode");
  if (status === undefined) return { kind: "ignored", updateId, reason: "a status that says nothing new" };
  return { kind: "status", updateId, messageId, status, ...(code ? { code } : {}) };
}

export function parseTwilio({ rawBody }: Pick<WebhookDelivery, "rawBody">): ParsedDelivery {
  const fields = new URLSearchParams(Buffer.from(rawBody).toString("utf8"));
  const messageId = fields.get("MessageSid") ?? "";
  if (messageId === "") return { inbound: [{ kind: "ignored", reason: "no MessageSid" }] };
  const told = fields.get("MessageStatus");
  if (told !== null) return { inbound: [statusOf(fields, messageId, told)] };
  const from = fields.get("From") ?? "";
  if (from === "") return { inbound: [{ kind: "ignored", updateId: messageId, reason: "no sender" }] };
  const text = fields.get("Body") ?? "";
  const media = mediaOf(fields);
  return {
    inbound: [
      {
        kind: "message",
        updateId: messageId,
        address: smsAddress(from),
        from: smsAddress(from),
        messageId,
        isDirect: true,
        ...(text === "" ? {} : { text }),
        ...(media.length === 0 ? {} : { media }),
      },
    ],
    reply: EMPTY_TWIML,
  };
}
