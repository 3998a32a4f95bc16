import {
  callProvider,
  type ProviderRequest,
  type SendOutcome,
  statusOutcome,
  toldReason,
} from "@interlude/channel-kit";
import type { JsonObject } from "@interlude/kernel";
import type { SmsConfig } from "./config.ts";

/** `statusUrl`: where Twilio tells what became of a message; without one it is not asked to. */
export type SmsSend = Readonly<{ config: SmsConfig; statusUrl: string | undefined; timeoutMs: number }>;

/** Twilio's codes for "later", in answers of status 400: twilio.com/docs/api/errors/21611 and /14107. */
const LATER: ReadonlyMap<string, "conversation" | "channel"> = new Map([
  ["14107", "conversation"],
  ["20429", "channel"],
  ["21611", "channel"],
]);
const LATER_MS = 60_000;

function formOf(body: JsonObject, { config, statusUrl }: SmsSend): string {
  const fields = new URLSearchParams({
    From: config.from,
    ...(statusUrl === undefined ? {} : { StatusCallback: statusUrl }),
  });
  for (const [name, value] of Object.entries(body)) {
    for (const each of Array.isArray(value) ? value : [value]) fields.append(name, String(each));
  }
  return fields.toString();
}

function refusal(status: number, json: JsonObject | undefined, { config }: SmsSend): SendOutcome {
  const { code, message } = json ?? {};
  const told = typeof code === "number" || typeof code === "string" ? String(code) : undefined;
  const scope = told === undefined ? undefined : LATER.get(told);
  if (scope !== undefined) return { kind: "rate_limited", retryAfterMs: LATER_MS, scope };
  const reason = typeof message === "string" ? message : `http ${status}`;
  return {
    kind: "rejected",
    reason: toldReason(reason, [config.authToken]),
    ...(told === undefined ? {} : { code: told }),
    // twilio.com/docs/api/errors/20003, which it also says of an account that is suspended.
    ...(status === 401 || told === "20003" ? { refusesUs: true } : {}),
  };
}

/** One attempt. Twilio knows no key that would make a second one safe. */
export async function sendSms(
  request: ProviderRequest,
  signal: AbortSignal,
  sending: SmsSend,
): Promise<SendOutcome> {
  const { accountSid, authToken, apiUrl } = sending.config;
  const answer = await callProvider({
    url: `${apiUrl}2010-04-01/Accounts/${accountSid}/${request.method}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: formOf(request.body, sending),
    timeoutMs: sending.timeoutMs,
    signal,
  });
  if (answer.kind === "broken") return answer.outcome;
  const byStatus = statusOutcome(answer);
  if (byStatus !== undefined) return byStatus;
  if (answer.status >= 400) return refusal(answer.status, answer.json, sending);
  const sid = answer.json?.["sid"];
  if (typeof sid === "string" && sid !== "") return { kind: "sent", messageId: sid };
  return { kind: "unknown", reason: `http ${answer.status} without a message id` };
}
