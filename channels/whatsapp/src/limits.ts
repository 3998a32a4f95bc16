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
  /** flows/reference/components, as all that follow */
  FLOW_COMPONENTS_MAX_ITEMS: 50,
  /** Ours, since ids of screens have letters only: a letter each */
  FLOW_SCREENS_MAX_ITEMS: 26,
  /** Ours: what a phone shows of a screen's title; a longer one stands above the fields */
  FLOW_TITLE_MAX_CHARS: 30,
  /** flows/reference/flowjson: 10 MB, which is more bytes than characters of a form's schema can have */
  FLOW_JSON_MAX_CHARS: 2_500_000,
  FLOW_HEADING_MAX_CHARS: 80,
  FLOW_CAPTION_MAX_CHARS: 409,
  FLOW_BODY_MAX_CHARS: 4_096,
  /** Of TextInput, TextArea and Dropdown */
  FLOW_LABEL_MAX_CHARS: 20,
  FLOW_DATE_LABEL_MAX_CHARS: 40,
  FLOW_BOX_LABEL_MAX_CHARS: 120,
  FLOW_BOXES_MAX_ITEMS: 5,
  FLOW_OPTIONS_MAX_ITEMS: 200,
  FLOW_OPTION_MAX_CHARS: 30,
  /** What a TextInput and a TextArea take where nothing else is set */
  FLOW_INPUT_MAX_CHARS: 80,
  FLOW_AREA_MAX_CHARS: 600,
} as const;
