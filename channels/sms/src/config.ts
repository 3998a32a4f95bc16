import {
  API_URL,
  apiBase,
  type ChannelSetup,
  readRecipients,
  readSetup,
  type Recipients,
  SECRET,
  TEXT,
  type Variables,
} from "@interlude/channel-kit";

export type SmsConfig = Readonly<{
  accountSid: string;
  authToken: string;
  from: string;
  apiUrl: string;
  recipients: Recipients;
}>;

const NUMBER = /^\+[1-9]\d{6,14}$|^\d{3,8}$/;

export function readSmsConfig(environment: Variables): ChannelSetup<SmsConfig> {
  const rules = {
    // It becomes part of a path.
    TWILIO_ACCOUNT_SID: {
      needed: true,
      fault: (value: string) => (/^[A-Za-z0-9]{1,64}$/.test(value) ? undefined : "must be an account's SID"),
    },
    TWILIO_AUTH_TOKEN: SECRET,
    TWILIO_FROM: {
      needed: true,
      fault: (value: string) =>
        NUMBER.test(value) ? undefined : "must be a phone number like +15550001111, or a short code",
    },
    TWILIO_API_URL: API_URL,
    SMS_DEFAULT_RECIPIENT: TEXT,
    SMS_ALLOWED_RECIPIENTS: TEXT,
  };
  return readSetup(environment, rules, (value, optional) => ({
    accountSid: value("TWILIO_ACCOUNT_SID"),
    authToken: value("TWILIO_AUTH_TOKEN"),
    from: value("TWILIO_FROM"),
    apiUrl: apiBase(optional("TWILIO_API_URL"), "https://api.twilio.com"),
    recipients: readRecipients(optional("SMS_DEFAULT_RECIPIENT"), optional("SMS_ALLOWED_RECIPIENTS")),
  }));
}
