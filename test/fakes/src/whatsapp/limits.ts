import type { Limit } from "../core/limit.ts";

const meta = (page: string): string =>
  `https://developers.facebook.com/documentation/business-messaging/whatsapp/${page}`;
const BUTTONS = meta("messages/interactive-reply-buttons-messages");
const LIST = meta("messages/interactive-list-messages");
const FLOW = meta("flows/guides/sendingaflow");
const COMPONENTS = meta("flows/reference/components");

/** The Cloud API's limits, each once. */
export const WHATSAPP_LIMITS = {
  text: { min: 1, max: 4096, page: meta("messages/text-messages") },
  caption: { max: 1024, page: meta("messages/image-messages") },
  body: { min: 1, max: 1024, page: BUTTONS },
  headerText: { min: 1, max: 60, page: LIST },
  footer: { min: 1, max: 60, page: LIST },
  buttons: { min: 1, max: 3, page: BUTTONS },
  buttonTitle: { min: 1, max: 20, page: BUTTONS },
  buttonId: { min: 1, max: 256, page: BUTTONS },
  listButton: { min: 1, max: 20, page: LIST },
  sections: { min: 1, max: 10, page: LIST },
  rows: { min: 1, max: 10, page: LIST },
  sectionTitle: { max: 24, page: LIST },
  rowId: { min: 1, max: 200, page: LIST },
  rowTitle: { min: 1, max: 24, page: LIST },
  rowDescription: { max: 72, page: LIST },
  linkTitle: { min: 1, max: 20, page: meta("messages/interactive-cta-url-messages") },
  flowButton: { min: 1, max: 20, page: FLOW },
  flowComponents: { min: 1, max: 50, page: COMPONENTS },
  flowHeading: { min: 1, max: 80, page: COMPONENTS },
  flowText: { min: 1, max: 4096, page: COMPONENTS },
  flowCaption: { min: 1, max: 409, page: COMPONENTS },
  flowLabel: { min: 1, max: 20, page: COMPONENTS },
  flowDateLabel: { min: 1, max: 40, page: COMPONENTS },
  flowBoxLabel: { min: 1, max: 120, page: COMPONENTS },
  flowBoxes: { max: 5, page: COMPONENTS },
  flowOptions: { min: 1, max: 200, page: COMPONENTS },
  flowOption: { min: 1, max: 30, page: COMPONENTS },
  flowFooter: { min: 1, max: 35, page: COMPONENTS },
  flowInput: { max: 80, page: COMPONENTS },
  flowArea: { max: 600, page: COMPONENTS },
  flowBytes: { min: 1, max: 10_485_760, page: meta("flows/reference/flowjson") },
  callbackData: { max: 512, page: meta("messages/send-messages") },
  templateBody: { max: 1024, page: meta("templates/overview") },
  windowMs: { max: 86_400_000, page: meta("messages/send-messages") },
  webhookWaitMs: { max: 10_000, page: meta("webhooks/overview") },
} as const satisfies Record<string, Limit>;
