/**
 * Limits of WhatsApp's Cloud API, each with the page of developers.facebook.com/docs/whatsapp/cloud-api that
 * it comes from. Lengths are counted in UTF-16 units.
 */
export const LIMITS = {
  /** reference/messages, text object */
  TEXT_MAX_CHARS: 4_096,
  /** reference/messages, media object */
  CAPTION_MAX_CHARS: 1_024,
  /** messages/interactive-reply-buttons-messages, and lists, for which pages disagree: the lower one */
  INTERACTIVE_BODY_MAX_CHARS: 1_024,
  /** messages/interactive-reply-buttons-messages */
  BUTTONS_MAX_ITEMS: 3,
  /** messages/interactive-reply-buttons-messages */
  BUTTON_TITLE_MAX_CHARS: 20,
  /** messages/interactive-list-messages */
  LIST_ROWS_MAX_ITEMS: 10,
  /** messages/interactive-list-messages */
  ROW_TITLE_MAX_CHARS: 24,
  /** guides/send-message-templates: a parameter of the body, which is 1024 with its own words */
  TEMPLATE_PARAMETER_MAX_CHARS: 512,
} as const;
