import type { Channel, InboundTap, ProviderRequest } from "@interlude/channel-kit";
import { telegramAddress } from "./address.ts";
import { checkTelegram, checkTelegramNotification } from "./check.ts";
import type { TelegramConfig } from "./config.ts";
import { LIMITS } from "./limits.ts";
import { parseTelegram } from "./parse.ts";
import {
  renderTelegram,
  renderTelegramEnd,
  renderTelegramNotice,
  renderTelegramNotification,
} from "./render.ts";
import { sendTelegram, setTelegramWebhook } from "./send.ts";
import { verifyTelegram } from "./verify.ts";

export type TelegramOptions = Readonly<{ language?: string; timeoutMs?: number }>;

const TIMEOUT_MS = 10_000;

/** The app waits for this, and gives up within seconds; words too long for it come as a message. */
function renderAcknowledge(tap: InboundTap, text?: string): readonly ProviderRequest[] {
  const isShort = text !== undefined && text.length <= LIMITS.ACKNOWLEDGE_MAX_CHARS;
  const answered = {
    method: "answerCallbackQuery",
    body: { ...tap.acknowledge, ...(isShort ? { text } : {}) },
  };
  return text === undefined || isShort ? [answered] : [answered, ...renderTelegramNotice(tap.address, text)];
}

export function createTelegramChannel(config: TelegramConfig, options: TelegramOptions = {}): Channel {
  const { language = "en", timeoutMs = TIMEOUT_MS } = options;
  const { recipients } = config;
  return {
    name: "telegram",
    capabilities: {
      formDelivery: "page",
      interactive: true,
      replyContext: true,
      media: ["image", "document", "video", "audio"],
      caps: LIMITS,
      idempotentSend: false,
    },
    defaultRecipient: recipients.default,
    check: (content) => checkTelegram(content, recipients),
    checkNotification: (content) => checkTelegramNotification(content, recipients),
    address: telegramAddress,
    render: (question) => renderTelegram(question, language),
    renderEnd: (sent, end) => renderTelegramEnd(sent, end, language),
    renderNotice: renderTelegramNotice,
    renderNotification: (notification) => renderTelegramNotification(notification, language),
    renderAcknowledge,
    send: (request, signal) => sendTelegram(request, signal, { config, timeoutMs }),
    verify: (delivery) => verifyTelegram(delivery, config.webhookSecret),
    parse: parseTelegram,
    start: ({ publicBaseUrl, signal }) =>
      setTelegramWebhook(`${publicBaseUrl}/api/channels/telegram/webhook`, signal, { config, timeoutMs }),
  };
}
