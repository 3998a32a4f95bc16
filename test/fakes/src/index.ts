export { startFakes, type Fakes, type RunningFakes } from "./start-fakes.ts";
export { startSlackFake, type SlackFake, type SlackFakeOptions } from "./slack/start-slack-fake.ts";
export {
  startTelegramFake,
  type TelegramFake,
  type TelegramFakeOptions,
} from "./telegram/start-telegram-fake.ts";
export { startTwilioFake, type TwilioFake, type TwilioFakeOptions } from "./twilio/start-twilio-fake.ts";
export {
  startWhatsAppFake,
  type WhatsAppFake,
  type WhatsAppFakeOptions,
} from "./whatsapp/start-whatsapp-fake.ts";
