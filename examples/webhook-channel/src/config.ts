import { type ChannelSetup, readSetup, SECRET, TEXT, type Variables } from "@interlude/channel-kit";

export type WebhookConfig = Readonly<{
  /** Signs what goes out and what comes in. */
  secret: string;
  /** Where messages may be posted to. */
  origins: ReadonlySet<string>;
  defaultRecipient: string | undefined;
}>;

const list = (value: string): string[] =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** Half set, the channel is named at the start and refuses its own questions. */
export function readConfig(variables: Variables): ChannelSetup<WebhookConfig> {
  const rules = {
    WEBHOOK_SECRET: SECRET,
    WEBHOOK_ALLOWED_ORIGINS: {
      needed: true,
      fault: (value: string) =>
        list(value).every(isOrigin)
          ? undefined
          : "must be a comma list of origins, as https://desk.example.com",
    },
    WEBHOOK_DEFAULT_RECIPIENT: TEXT,
  };
  return readSetup(variables, rules, (value, optional) => ({
    secret: value("WEBHOOK_SECRET"),
    origins: new Set(list(value("WEBHOOK_ALLOWED_ORIGINS"))),
    defaultRecipient: optional("WEBHOOK_DEFAULT_RECIPIENT"),
  }));
}
