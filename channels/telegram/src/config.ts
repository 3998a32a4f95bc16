import {
  API_URL,
  apiBase,
  type ChannelSetup,
  readRecipients,
  readSetup,
  type Recipients,
  TEXT,
  type Variables,
} from "@interlude/channel-kit";

export type TelegramConfig = Readonly<{
  botToken: string;
  webhookSecret: string;
  apiUrl: string;
  recipients: Recipients;
}>;

const RULES = {
  // It becomes part of a path.
  TELEGRAM_BOT_TOKEN: {
    needed: true,
    fault: (value: string) =>
      /^\d{1,20}:[A-Za-z0-9_-]{1,100}$/.test(value) ? undefined : "must be a bot's token, like 123:abc",
  },
  // core.telegram.org/bots/api#setwebhook
  TELEGRAM_WEBHOOK_SECRET: {
    needed: true,
    fault: (value: string) =>
      /^[A-Za-z0-9_-]{1,256}$/.test(value)
        ? undefined
        : "must be 1 to 256 characters of A-Z, a-z, 0-9, _ and -",
  },
  TELEGRAM_API_URL: API_URL,
  TELEGRAM_DEFAULT_RECIPIENT: TEXT,
  TELEGRAM_ALLOWED_RECIPIENTS: TEXT,
};

export function readTelegramConfig(environment: Variables): ChannelSetup<TelegramConfig> {
  return readSetup(environment, RULES, (value, optional) => ({
    botToken: value("TELEGRAM_BOT_TOKEN"),
    webhookSecret: value("TELEGRAM_WEBHOOK_SECRET"),
    apiUrl: apiBase(optional("TELEGRAM_API_URL"), "https://api.telegram.org"),
    recipients: readRecipients(
      optional("TELEGRAM_DEFAULT_RECIPIENT"),
      optional("TELEGRAM_ALLOWED_RECIPIENTS"),
    ),
  }));
}
