import { startSlackFake, type SlackFake } from "./slack/start-slack-fake.ts";
import { startTelegramFake, type TelegramFake } from "./telegram/start-telegram-fake.ts";
import { startTwilioFake, type TwilioFake } from "./twilio/start-twilio-fake.ts";

export type Fakes = Readonly<{ slack: SlackFake; telegram: TelegramFake; sms: TwilioFake }>;
export type RunningFakes = Readonly<{
  fakes: Fakes;
  /** What Interlude's environment needs to talk to them. */
  environment: Readonly<Record<string, string>>;
  stop: () => Promise<void>;
}>;

const RETRIES_MS = [1000, 5000, 30_000] as const;

/** All the fakes, delivering to the webhooks of an Interlude at `publicBaseUrl` and repeating what fails. */
export async function startFakes(
  publicBaseUrl: string,
  ports: readonly number[] = [],
): Promise<RunningFakes> {
  const hook = (name: string): string => new URL(`/api/channels/${name}/webhook`, publicBaseUrl).href;
  const options = (place: number) => ({ port: ports[place] ?? 0, webhookRetryDelaysMs: RETRIES_MS });
  const slack = await startSlackFake(options(0));
  const telegram = await startTelegramFake(options(1));
  const sms = await startTwilioFake({ ...options(2), reportsByItself: true });
  slack.deliverTo(hook("slack"));
  sms.deliverTo(hook("sms"));
  return {
    fakes: { slack, telegram, sms },
    environment: {
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      TELEGRAM_API_URL: telegram.apiUrl,
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_WEBHOOK_SECRET: "fake-webhook-secret",
      TWILIO_API_URL: sms.apiUrl,
      TWILIO_ACCOUNT_SID: sms.accountSid,
      TWILIO_AUTH_TOKEN: sms.authToken,
      TWILIO_FROM: sms.number,
    },
    stop: async () => {
      await Promise.all([slack.stop(), telegram.stop(), sms.stop()]);
    },
  };
}
