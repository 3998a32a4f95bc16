import { startSlackFake, type SlackFake } from "./slack/start-slack-fake.ts";
import { startTelegramFake, type TelegramFake } from "./telegram/start-telegram-fake.ts";
import { startTwilioFake, type TwilioFake } from "./twilio/start-twilio-fake.ts";
import { startWhatsAppFake, type WhatsAppFake } from "./whatsapp/start-whatsapp-fake.ts";

export type Fakes = Readonly<{
  slack: SlackFake;
  telegram: TelegramFake;
  sms: TwilioFake;
  whatsapp: WhatsAppFake;
}>;
export type RunningFakes = Readonly<{
  fakes: Fakes;
  /** What Interlude's environment needs to talk to them. */
  environment: Readonly<Record<string, string>>;
  stop: () => Promise<void>;
}>;

const TELEGRAM_SECRET = "fake-webhook-secret";
/** Interlude keeps what has come over the stand-ins before, and would take another with the same id for a repeat. */
const IDS_SINCE_MS = Date.UTC(2026, 0, 1);
const RETRIES_MS = [1000, 5000, 30_000] as const;

/** All the fakes, delivering to the webhooks of an Interlude at `publicBaseUrl` and repeating what fails. */
export async function startFakes(
  publicBaseUrl: string,
  ports: readonly number[] = [],
  startedMs = Date.now(),
): Promise<RunningFakes> {
  const hook = (name: string): string => new URL(`/api/channels/${name}/webhook`, publicBaseUrl).href;
  const firstId = Math.floor((startedMs - IDS_SINCE_MS) / 100);
  const options = (place: number) => ({
    port: ports[place] ?? 0,
    webhookRetryDelaysMs: RETRIES_MS,
    firstId,
  });
  const slack = await startSlackFake(options(0));
  const telegram = await startTelegramFake(options(1));
  const sms = await startTwilioFake({ ...options(2), reportsByItself: true });
  const whatsapp = await startWhatsAppFake({ ...options(3), reportsByItself: true, hasWritten: true });
  slack.deliverTo(hook("slack"));
  telegram.deliverTo(hook("telegram"), TELEGRAM_SECRET);
  sms.deliverTo(hook("sms"));
  whatsapp.deliverTo(hook("whatsapp"));
  const fakes = { slack, telegram, sms, whatsapp };
  const links = Object.values(fakes).map(({ person, url }) => ({
    title: person.see().title,
    url: `${url}/`,
  }));
  for (const fake of Object.values(fakes)) fake.showBeside(links);
  return {
    fakes,
    environment: environmentOf(fakes),
    stop: async () => {
      await Promise.all(Object.values(fakes).map((fake) => fake.stop()));
    },
  };
}

/** A question that names nobody goes to Ada. */
function environmentOf({ slack, telegram, sms, whatsapp }: Fakes): Readonly<Record<string, string>> {
  return {
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_DEFAULT_RECIPIENT: "D0ADA",
    TELEGRAM_API_URL: telegram.apiUrl,
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_WEBHOOK_SECRET: TELEGRAM_SECRET,
    TELEGRAM_DEFAULT_RECIPIENT: "1001",
    TWILIO_API_URL: sms.apiUrl,
    TWILIO_ACCOUNT_SID: sms.accountSid,
    TWILIO_AUTH_TOKEN: sms.authToken,
    TWILIO_FROM: sms.number,
    SMS_DEFAULT_RECIPIENT: "+15550001001",
    WHATSAPP_API_URL: whatsapp.apiUrl,
    WHATSAPP_ACCESS_TOKEN: whatsapp.accessToken,
    WHATSAPP_APP_SECRET: whatsapp.appSecret,
    WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
    WHATSAPP_PHONE_NUMBER_ID: whatsapp.phoneNumberId,
    WHATSAPP_WABA_ID: whatsapp.wabaId,
    WHATSAPP_ASK_TEMPLATE: "question",
    WHATSAPP_DEFAULT_RECIPIENT: "15550001001",
  };
}
