export {
  startTelegramFake,
  type TelegramFake,
  type TelegramFakeOptions,
} from "./telegram/start-telegram-fake.ts";
