import type { Channel } from "@interlude/channel-kit";
import { smsAddress } from "./address.ts";
import { checkSms, checkSmsNotification } from "./check.ts";
import type { SmsConfig } from "./config.ts";
import { LIMITS } from "./limits.ts";
import { parseTwilio } from "./parse.ts";
import { renderSms, renderSmsNotice, renderSmsNotification } from "./render.ts";
import { sendSms } from "./send.ts";
import { verifyTwilio } from "./verify.ts";

/** Without a `publicBaseUrl` there is nowhere for Twilio to deliver: it is asked for no status, and none is taken. */
export type SmsOptions = Readonly<{
  publicBaseUrl?: string | undefined;
  language?: string;
  timeoutMs?: number;
}>;

const TIMEOUT_MS = 10_000;

/** SMS and MMS over Twilio: nothing can be tapped, and a reply does not say what it is to. */
export function createSmsChannel(config: SmsConfig, options: SmsOptions): Channel {
  const { publicBaseUrl, language = "en", timeoutMs = TIMEOUT_MS } = options;
  const sender = { from: config.from, language };
  const statusUrl =
    publicBaseUrl === undefined ? undefined : new URL("/api/channels/sms/webhook", publicBaseUrl).href;
  return {
    name: "sms",
    capabilities: {
      formDelivery: "page",
      interactive: false,
      replyContext: false,
      media: ["image", "document", "video", "audio"],
      caps: LIMITS,
      idempotentSend: false,
    },
    defaultRecipient: config.recipients.default,
    check: (content) => checkSms(content, sender, config.recipients),
    checkNotification: (content) => checkSmsNotification(content, sender, config.recipients),
    address: smsAddress,
    render: (question) => renderSms(question, sender),
    // What was sent cannot be changed, and a message for each question that ends would only be noise.
    renderEnd: () => [],
    renderNotice: renderSmsNotice,
    renderNotification: (notification) => renderSmsNotification(notification, sender),
    send: (request, signal) => sendSms(request, signal, { config, statusUrl, timeoutMs }),
    verify: (delivery) => verifyTwilio(delivery, { authToken: config.authToken, publicBaseUrl }),
    parse: parseTwilio,
  };
}
