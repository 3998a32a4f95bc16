import type { Limit } from "../core/limit.ts";

const api = (anchor: string): string => `https://core.telegram.org/bots/api#${anchor}`;

/**
 * Telegram's limits, each once. Texts are counted in UTF-16 units after their formatting is parsed.
 * Where Telegram documents none, the page says where the limit was observed.
 */
export const TELEGRAM_LIMITS = {
  text: { min: 1, max: 4096, page: api("sendmessage") },
  caption: { max: 1024, page: api("sendphoto") },
  /** In bytes of UTF-8. */
  callbackDataBytes: { min: 1, max: 64, page: api("inlinekeyboardbutton") },
  callbackAnswerText: { max: 200, page: api("answercallbackquery") },
  inputPlaceholder: { min: 1, max: 64, page: api("forcereply") },
  copyText: { min: 1, max: 256, page: api("copytextbutton") },
  keyboardButtons: { max: 100, page: "https://github.com/tginfo/Telegram-Limits/issues/228 (observed)" },
  keyboardRowButtons: { max: 8, page: "https://github.com/tginfo/Telegram-Limits/issues/187 (observed)" },
  keyboardBytes: { max: 10_240, page: "https://github.com/rubenlagus/TelegramBots/issues/218 (observed)" },
  mediaGroup: { min: 2, max: 10, page: api("sendmediagroup") },
  photoUploadBytes: { max: 10 * 1024 * 1024, page: api("sending-files") },
  fileUploadBytes: { max: 50 * 1024 * 1024, page: api("sending-files") },
  secretToken: { min: 1, max: 256, page: api("setwebhook") },
  maxConnections: { min: 1, max: 100, page: api("setwebhook") },
  updatesAtOnce: { min: 1, max: 100, page: api("getupdates") },
  /** How long a tap can be acknowledged; Telegram says only that it must be soon. */
  callbackLifeMs: { max: 30_000, page: api("answercallbackquery") },
  webhookWaitMs: { max: 60_000, page: "https://github.com/tdlib/telegram-bot-api/issues/341" },
} as const satisfies Record<string, Limit>;

/** https://core.telegram.org/bots/webhooks */
export const WEBHOOK_PORTS: readonly string[] = ["443", "80", "88", "8443"];
