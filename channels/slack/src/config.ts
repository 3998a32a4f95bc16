import {
  API_URL,
  apiBase,
  type ChannelSetup,
  readRecipients,
  readSetup,
  type Recipients,
  SECRET,
  TEXT,
  type Variables,
} from "@interlude/channel-kit";

export type SlackConfig = Readonly<{
  botToken: string;
  signingSecret: string;
  apiUrl: string;
  recipients: Recipients;
}>;

const RULES = {
  SLACK_BOT_TOKEN: SECRET,
  SLACK_SIGNING_SECRET: SECRET,
  SLACK_API_URL: API_URL,
  SLACK_DEFAULT_RECIPIENT: TEXT,
  SLACK_ALLOWED_RECIPIENTS: TEXT,
};

export function readSlackConfig(environment: Variables): ChannelSetup<SlackConfig> {
  return readSetup(environment, RULES, (value, optional) => ({
    botToken: value("SLACK_BOT_TOKEN"),
    signingSecret: value("SLACK_SIGNING_SECRET"),
    apiUrl: apiBase(optional("SLACK_API_URL"), "https://slack.com/api"),
    recipients: readRecipients(optional("SLACK_DEFAULT_RECIPIENT"), optional("SLACK_ALLOWED_RECIPIENTS")),
  }));
}
