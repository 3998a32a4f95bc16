export { readSmsConfig, type SmsConfig } from "./config.ts";
export { createSmsChannel, type SmsOptions } from "./sms-channel.ts";
