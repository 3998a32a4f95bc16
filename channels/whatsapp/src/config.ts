import {
  API_URL,
  apiBase,
  type ChannelSetup,
  readRecipients,
  readSetup,
  type Recipients,
  type Rule,
  SECRET,
  TEXT,
  type Variables,
} from "@interlude/channel-kit";

export type AskTemplate = Readonly<{ name: string; language: string }>;

export type WhatsAppConfig = Readonly<{
  accessToken: string;
  appSecret: string;
  phoneNumberId: string;
  verifyToken: string;
  wabaId: string | undefined;
  askTemplate: AskTemplate | undefined;
  apiUrl: string;
  recipients: Recipients;
}>;

/** The version whose pages the limits come from. */
const API = "https://graph.facebook.com/v23.0";
const TEMPLATE = /^([a-z0-9_]{1,512})(?:\/([a-zA-Z_]{2,15}))?$/;

// It becomes part of a path.
const id = (needed: boolean): Rule => ({
  needed,
  fault: (value) => (/^\d{1,32}$/.test(value) ? undefined : "must be an id of digits"),
});

const RULES = {
  WHATSAPP_ACCESS_TOKEN: SECRET,
  WHATSAPP_APP_SECRET: SECRET,
  WHATSAPP_PHONE_NUMBER_ID: id(true),
  WHATSAPP_VERIFY_TOKEN: SECRET,
  WHATSAPP_WABA_ID: id(false),
  WHATSAPP_ASK_TEMPLATE: {
    needed: false,
    fault: (value: string) =>
      TEMPLATE.test(value) ? undefined : "must be a template's name, or its name/language like ask/en_US",
  },
  WHATSAPP_API_URL: API_URL,
  WHATSAPP_DEFAULT_RECIPIENT: TEXT,
  WHATSAPP_ALLOWED_RECIPIENTS: TEXT,
};

function readTemplate(value: string | undefined): AskTemplate | undefined {
  const [, name, language = "en"] = TEMPLATE.exec(value ?? "") ?? [];
  return name === undefined ? undefined : { name, language };
}

export function readWhatsAppConfig(environment: Variables): ChannelSetup<WhatsAppConfig> {
  return readSetup(environment, RULES, (value, optional) => ({
    accessToken: value("WHATSAPP_ACCESS_TOKEN"),
    appSecret: value("WHATSAPP_APP_SECRET"),
    phoneNumberId: value("WHATSAPP_PHONE_NUMBER_ID"),
    verifyToken: value("WHATSAPP_VERIFY_TOKEN"),
    wabaId: optional("WHATSAPP_WABA_ID"),
    askTemplate: readTemplate(optional("WHATSAPP_ASK_TEMPLATE")),
    apiUrl: apiBase(optional("WHATSAPP_API_URL"), API),
    recipients: readRecipients(
      optional("WHATSAPP_DEFAULT_RECIPIENT"),
      optional("WHATSAPP_ALLOWED_RECIPIENTS"),
    ),
  }));
}
