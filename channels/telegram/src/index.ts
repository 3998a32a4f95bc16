export { readTelegramConfig, type TelegramConfig } from "./config.ts";
export { createTelegramChannel, type TelegramOptions } from "./telegram-channel.ts";
