import type { Answer } from "../core/exchange.ts";
import type { Fields } from "../core/json.ts";
import { exceeds } from "../core/limit.ts";
import { TWILIO_LIMITS as LIMITS } from "./limits.ts";
import { countSegments } from "./segments.ts";

export type StoredSms = {
  readonly sid: string;
  readonly person: string;
  readonly fromApp: boolean;
  readonly text: string;
  readonly media: readonly string[];
  readonly atMs: number;
  readonly statusCallback: string | undefined;
  status: string;
  errorCode: number | undefined;
};

export type Phones = {
  readonly accountSid: string;
  readonly authToken: string;
  readonly number: string;
  readonly messages: StoredSms[];
  readonly people: Map<string, { name: string; hasStopped: boolean }>;
  readonly nowMs: () => number;
  readonly firstId: number;
};

/** Every refusal has this shape: https://www.twilio.com/docs/usage/twilios-response */
export function twilioError(status: number, code: number, message: string): Answer {
  return {
    status,
    body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  };
}

const PHONE = /^\+[1-9]\d{6,14}$/;
const KNOWN = new Set([
  "To",
  "From",
  "Body",
  "MediaUrl",
  "StatusCallback",
  "ValidityPeriod",
  "MaxPrice",
  "ProvideFeedback",
  "Attempt",
  "SmartEncoded",
  "ShortenUrls",
  "SendAsMms",
  "RiskCheck",
  "AddressRetention",
  "ContentRetention",
]);

type Form = Readonly<Record<string, readonly string[]>>;

/** POST …/Messages.json */
export function createSms(phones: Phones, form: Form): { answer: Answer; sms?: StoredSms } {
  const refusal = refuse(phones, form);
  if (refusal !== undefined) return { answer: refusal };
  const media = form["MediaUrl"] ?? [];
  const text = form["Body"]?.[0] ?? "";
  const sms: StoredSms = {
    sid: sidOf(phones, media.length > 0 ? "MM" : "SM"),
    person: form["To"]?.[0] ?? "",
    fromApp: true,
    text,
    media,
    atMs: phones.nowMs(),
    statusCallback: form["StatusCallback"]?.[0],
    status: "queued",
    errorCode: undefined,
  };
  phones.messages.push(sms);
  return { answer: { status: 201, body: smsJson(phones, sms) }, sms };
}

export function sidOf({ messages, firstId }: Phones, prefix: string): string {
  return prefix + (firstId + messages.length + 1).toString(16).padStart(32, "0");
}

function refuse(phones: Phones, form: Form): Answer | undefined {
  const to = form["To"]?.[0];
  const unknown = Object.keys(form).find((name) => !KNOWN.has(name));
  // Twilio ignores what it does not know; a misspelt name is worth an error here.
  if (unknown !== undefined) return twilioError(400, 20001, `Unknown parameter ${unknown}`);
  if (to === undefined || to === "") return twilioError(400, 21604, "A 'To' phone number is required.");
  return (
    refuseFrom(phones, form["From"]?.[0], to) ??
    refuseContent(form) ??
    refuseTo(phones, to) ??
    refuseOptions(form)
  );
}

function refuseFrom({ number }: Phones, from: string | undefined, to: string): Answer | undefined {
  if (from === undefined || from === "") return twilioError(400, 21603, "A 'From' phone number is required.");
  if (from === to) return twilioError(400, 21266, "'To' and 'From' number cannot be the same");
  if (from === number) return undefined;
  const reason = `The 'From' phone number provided (${from}) is not a valid message-capable Twilio phone number for this destination/account`;
  return twilioError(400, 21606, reason);
}

function refuseContent(form: Form): Answer | undefined {
  const body = form["Body"]?.[0] ?? "";
  const media = form["MediaUrl"] ?? [];
  if (body === "" && media.length === 0) return twilioError(400, 21602, "Message body is required.");
  if (exceeds(LIMITS.body, body.length)) {
    return twilioError(400, 21617, "The concatenated message body exceeds the 1600 character limit");
  }
  if (exceeds(LIMITS.mediaUrls, media.length)) {
    return twilioError(400, 21623, "Number of media files exceeds allowed limit");
  }
  if (media.every(isHttpUrl)) return undefined;
  return twilioError(400, 21620, "Invalid media URL(s)");
}

function refuseTo({ people }: Phones, to: string): Answer | undefined {
  if (!PHONE.test(to)) return twilioError(400, 21211, `Invalid 'To' Phone Number: ${to}`);
  if (people.get(to)?.hasStopped !== true) return undefined;
  return twilioError(400, 21610, "Attempt to send to unsubscribed recipient");
}

function refuseOptions(form: Form): Answer | undefined {
  const callback = form["StatusCallback"]?.[0];
  if (callback !== undefined && !isCallbackUrl(callback)) {
    return twilioError(400, 21609, "The 'StatusCallback' URL is not a valid URL");
  }
  const validity = form["ValidityPeriod"]?.[0];
  if (validity === undefined || !exceeds(LIMITS.validitySeconds, Number(validity))) return undefined;
  return twilioError(400, 21626, "The 'ValidityPeriod' is invalid");
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isCallbackUrl(text: string): boolean {
  const isShort = !exceeds(LIMITS.statusCallbackUrl, text.length);
  return isShort && isHttpUrl(text) && !new URL(text).hostname.includes("_");
}

export function smsJson({ accountSid, number }: Phones, sms: StoredSms): Fields {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${sms.sid}`;
  const at = new Date(sms.atMs).toUTCString().replace("GMT", "+0000");
  return {
    sid: sms.sid,
    account_sid: accountSid,
    api_version: "2010-04-01",
    body: sms.text,
    date_created: at,
    date_sent: sms.status === "queued" ? null : at,
    date_updated: at,
    direction: sms.fromApp ? "outbound-api" : "inbound",
    error_code: sms.errorCode ?? null,
    error_message: null,
    from: sms.fromApp ? number : sms.person,
    to: sms.fromApp ? sms.person : number,
    messaging_service_sid: null,
    num_media: String(sms.media.length),
    num_segments: String(countSegments(sms.text)),
    price: null,
    price_unit: "USD",
    status: sms.status,
    subresource_uris: { media: `${uri}/Media.json` },
    uri: `${uri}.json`,
  };
}
