import { createHmac } from "node:crypto";

/** What each provider signs with here. */
const SECRETS = {
  slack: "slack-signing-secret",
  telegram: "telegram-webhook-secret",
  sms: "twilio-auth-token",
  whatsapp: "whatsapp-app-secret",
} as const;
export type ProviderName = keyof typeof SECRETS;

/** Channels that write to nobody: no provider is there. */
export const PROVIDER_VARIABLES = {
  SLACK_BOT_TOKEN: "xoxb-nobody",
  SLACK_SIGNING_SECRET: SECRETS.slack,
  SLACK_API_URL: "http://127.0.0.1:9/",
  TELEGRAM_BOT_TOKEN: "1:nobody",
  TELEGRAM_WEBHOOK_SECRET: SECRETS.telegram,
  TELEGRAM_API_URL: "http://127.0.0.1:9/",
  TWILIO_ACCOUNT_SID: "AC0001",
  TWILIO_AUTH_TOKEN: SECRETS.sms,
  TWILIO_FROM: "+15550009000",
  TWILIO_API_URL: "http://127.0.0.1:9/",
  WHATSAPP_ACCESS_TOKEN: "nobody",
  WHATSAPP_APP_SECRET: SECRETS.whatsapp,
  WHATSAPP_PHONE_NUMBER_ID: "42",
  WHATSAPP_VERIFY_TOKEN: "verify-me",
  WHATSAPP_API_URL: "http://127.0.0.1:9/",
} as const;

export type Signing = { secret?: string; atSeconds?: number };

/** The headers under which the provider delivers `body` to `url`. */
export function signedHeaders(
  provider: ProviderName,
  body: string,
  url: string,
  { secret = SECRETS[provider], atSeconds = Math.floor(Date.now() / 1_000) }: Signing = {},
): Record<string, string> {
  const hmac = (algorithm: string, text: string) => createHmac(algorithm, secret).update(text);
  switch (provider) {
    case "slack":
      return {
        "content-type": body.startsWith("payload=")
          ? "application/x-www-form-urlencoded"
          : "application/json",
        "x-slack-request-timestamp": String(atSeconds),
        "x-slack-signature": `v0=${hmac("sha256", `v0:${atSeconds}:${body}`).digest("hex")}`,
      };
    case "telegram":
      return { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret };
    case "sms": {
      const fields = [...new URLSearchParams(body)].sort(([one], [other]) => (one < other ? -1 : 1));
      const text = `${url}${fields.map((pair) => pair.join("")).join("")}`;
      return {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": hmac("sha1", text).digest("base64"),
      };
    }
    case "whatsapp":
      return {
        "content-type": "application/json",
        "x-hub-signature-256": `sha256=${hmac("sha256", body).digest("hex")}`,
      };
  }
}

let updates = 0;
type Fields = Readonly<Record<string, unknown>>;

/** A person's message as the provider tells of it, with a new id each time; `more` goes into the message. */
export function messageBody(provider: ProviderName, more: Fields = {}): string {
  const id = String(++updates);
  switch (provider) {
    case "slack": {
      const event = { type: "message", channel: "D0ADA", channel_type: "im", user: "U0ADA", ts: `${id}.1` };
      return JSON.stringify({
        type: "event_callback",
        event_id: `Ev${id}`,
        event: { ...event, text: "hi", ...more },
      });
    }
    case "telegram": {
      const message = { message_id: updates, chat: { id: 7, type: "private" }, from: { id: 7 }, text: "hi" };
      return JSON.stringify({ update_id: updates, message: { ...message, ...more } });
    }
    case "sms": {
      const fields: Fields = {
        MessageSid: `SM${id}`,
        From: "+15550001001",
        To: "+15550009000",
        Body: "hi",
        ...more,
      };
      return new URLSearchParams(
        Object.entries(fields).map(([name, value]): [string, string] => [
          name,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
      ).toString();
    }
    case "whatsapp": {
      const message = { id: `wamid.${id}`, from: "15550001001", type: "text", text: { body: "hi" }, ...more };
      return whatsAppBody({ messages: [message] });
    }
  }
}

export function whatsAppBody(value: Fields): string {
  const change = { field: "messages", value: { metadata: { phone_number_id: "42" }, ...value } };
  return JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "1", changes: [change] }] });
}
