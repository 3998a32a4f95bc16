import type { Fields } from "../core/json.ts";
import type { Delivery, Sender } from "../core/outbox.ts";
import { WHATSAPP_LIMITS as LIMITS } from "./limits.ts";
import { metaJson, metaSignature } from "./sign.ts";
import { NUMBER, PHONE_NUMBER_ID, unixSeconds, WABA_ID, type WhatsAppWorld } from "./world.ts";

export type MessageStatus = "sent" | "delivered" | "read" | "failed";

export interface WhatsAppWebhooks {
  url: string | undefined;
  readonly tell: (topic: string, value: Fields) => Promise<Delivery>;
  readonly handshake: (verifyToken?: string) => Promise<Delivery>;
  readonly report: (id: string, status: MessageStatus, code?: number) => Promise<Delivery>;
}

export function createWhatsAppWebhooks(world: WhatsAppWorld, outbox: Sender): WhatsAppWebhooks {
  const timeoutMs = LIMITS.webhookWaitMs.max;
  const { appSecret, verifyToken } = world.settings;
  const webhooks: WhatsAppWebhooks = {
    url: undefined,
    tell(topic, value) {
      const metadata = { display_phone_number: NUMBER, phone_number_id: PHONE_NUMBER_ID };
      const change = { field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } };
      const body = metaJson({
        object: "whatsapp_business_account",
        entry: [{ id: WABA_ID, changes: [change] }],
      });
      const headers = {
        "content-type": "application/json",
        "X-Hub-Signature-256": metaSignature(appSecret, body),
      };
      const build = () =>
        webhooks.url === undefined
          ? undefined
          : { url: webhooks.url, method: "POST" as const, headers, body };
      return outbox.send({ topic, timeoutMs, build });
    },
    handshake(token = verifyToken) {
      const build = () => {
        if (webhooks.url === undefined) return undefined;
        const url = new URL(webhooks.url);
        url.searchParams.set("hub.mode", "subscribe");
        url.searchParams.set("hub.verify_token", token);
        url.searchParams.set("hub.challenge", "1158201444");
        return { url: url.href, method: "GET" as const, headers: {} };
      };
      return outbox.send({ topic: "handshake", timeoutMs, build });
    },
    report(id, status, code) {
      const message = world.messages.find((each) => each.id === id);
      if (message === undefined) throw new Error(`there is no message ${id}`);
      message.status = status;
      const errors = code === undefined ? {} : { errors: [{ code, title: "Message failed" }] };
      const told = { id, status, timestamp: unixSeconds(world.nowMs()), recipient_id: message.person };
      return webhooks.tell(`status ${status}`, { statuses: [{ ...told, ...errors }] });
    },
  };
  return webhooks;
}
