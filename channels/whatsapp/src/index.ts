export { readWhatsAppConfig, type AskTemplate, type WhatsAppConfig } from "./config.ts";
export { createWhatsAppChannel, type WhatsAppOptions } from "./whatsapp-channel.ts";
