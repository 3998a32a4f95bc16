import type { Channel } from "@interlude/channel-kit";
import { whatsAppAddress } from "./address.ts";
import { checkWhatsApp, checkWhatsAppNotification } from "./check.ts";
import type { WhatsAppConfig } from "./config.ts";
import { LIMITS } from "./limits.ts";
import { texts } from "./messages.ts";
import { parseMeta } from "./parse.ts";
import { renderWhatsApp, renderWhatsAppNotification, renderWhatsAppOpener } from "./render.ts";
import { createWhatsAppSend } from "./send.ts";
import { verifyMeta } from "./verify.ts";

export type WhatsAppOptions = Readonly<{ language?: string; timeoutMs?: number }>;

const TIMEOUT_MS = 10_000;

/** WhatsApp over Meta's Cloud API. */
export function createWhatsAppChannel(config: WhatsAppConfig, options: WhatsAppOptions = {}): Channel {
  const { language = "en", timeoutMs = TIMEOUT_MS } = options;
  const { askTemplate, recipients, wabaId } = config;
  const look = { language, flows: wabaId !== undefined };
  const send = createWhatsAppSend({ config, timeoutMs });
  return {
    name: "whatsapp",
    capabilities: {
      formDelivery: look.flows ? "native" : "page",
      interactive: true,
      replyContext: true,
      media: ["image", "document", "video", "audio"],
      caps: LIMITS,
      idempotentSend: false,
    },
    defaultRecipient: recipients.default,
    check: (content) => checkWhatsApp(content, recipients),
    checkNotification: (content) => checkWhatsAppNotification(content, recipients),
    address: whatsAppAddress,
    render: (question) => renderWhatsApp(question, look),
    // What was sent cannot be changed; a late tap is told.
    renderEnd: () => [],
    renderNotice: texts,
    renderNotification: (notification) => renderWhatsAppNotification(notification, look),
    ...(askTemplate === undefined
      ? {}
      : { renderOpener: (question) => renderWhatsAppOpener(question, askTemplate) }),
    send,
    verify: (delivery) => verifyMeta(delivery, config),
    parse: (delivery) => parseMeta(delivery, config.phoneNumberId),
  };
}
