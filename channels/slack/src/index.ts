export { readSlackConfig, type SlackConfig } from "./config.ts";
export { createSlackChannel, type SlackOptions } from "./slack-channel.ts";
