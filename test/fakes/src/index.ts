export {
  startTelegramFake,
  type TelegramFake,
  type TelegramFakeOptions,
} from "./telegram/start-telegram-fake.ts";
export { startTwilioFake, type TwilioFake, type TwilioFakeOptions } from "./twilio/start-twilio-fake.ts";
