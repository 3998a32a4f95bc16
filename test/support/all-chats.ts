import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type SlackFake,
  startSlackFake,
  startTelegramFake,
  startTwilioFake,
  startWhatsAppFake,
  type TelegramFake,
  type TwilioFake,
  type WhatsAppFake,
} from "@interlude/test-fakes";
import { temporaryHome } from "@interlude/testing";
import { type Interlude, startInterlude } from "./start-interlude.ts";

export const CHATS = ["slack", "telegram", "sms", "whatsapp"] as const;
export type ChatName = (typeof CHATS)[number];

/** A person on each of them, as `recipient` and as the conversation of the chat page. */
export const ADA: Readonly<Record<ChatName, string>> = {
  slack: "D0ADA",
  telegram: "1001",
  sms: "+15550001001",
  whatsapp: "15550001001",
};

export type AllChats = Readonly<{
  interlude: Interlude;
  fakes: Readonly<{ slack: SlackFake; telegram: TelegramFake; sms: TwilioFake; whatsapp: WhatsAppFake }>;
  stop(): Promise<void>;
}>;

/** Interlude with a stand-in of every provider; what people say goes to the driver `echo`. */
export async function startAllChats(env: Readonly<Record<string, string>> = {}): Promise<AllChats> {
  const routesFile = join(temporaryHome("routes"), "routes.json");
  writeFileSync(
    routesFile,
    JSON.stringify(CHATS.map((channel) => ({ channel, target: { driver: "echo" }, reply: "result.say" }))),
  );
  const [slack, telegram, sms, whatsapp] = await Promise.all([
    startSlackFake(),
    startTelegramFake(),
    startTwilioFake(),
    startWhatsAppFake({ hasWritten: true }),
  ]);
  const interlude = await startInterlude({
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_API_URL: slack.apiUrl,
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_WEBHOOK_SECRET: "hook-secret",
      TELEGRAM_API_URL: telegram.apiUrl,
      TWILIO_ACCOUNT_SID: sms.accountSid,
      TWILIO_AUTH_TOKEN: sms.authToken,
      TWILIO_FROM: sms.number,
      TWILIO_API_URL: sms.apiUrl,
      WHATSAPP_ACCESS_TOKEN: whatsapp.accessToken,
      WHATSAPP_APP_SECRET: whatsapp.appSecret,
      WHATSAPP_PHONE_NUMBER_ID: whatsapp.phoneNumberId,
      WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
      WHATSAPP_WABA_ID: whatsapp.wabaId,
      WHATSAPP_API_URL: whatsapp.apiUrl,
      INTERLUDE_ROUTES_FILE: routesFile,
      ...env,
    },
  });
  slack.deliverTo(`${interlude.url}/api/channels/slack/webhook`);
  sms.deliverTo(`${interlude.url}/api/channels/sms/webhook`);
  whatsapp.deliverTo(`${interlude.url}/api/channels/whatsapp/webhook`);
  await fetch(`${telegram.apiUrl}/bot${telegram.token}/setWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      url: `${interlude.url}/api/channels/telegram/webhook`,
      secret_token: "hook-secret",
    }),
  });
  const fakes = { slack, telegram, sms, whatsapp };
  return {
    ...{ interlude, fakes },
    async stop() {
      await interlude.stop();
      await Promise.all([slack, telegram, sms, whatsapp].map((fake) => fake.stop()));
    },
  };
}
