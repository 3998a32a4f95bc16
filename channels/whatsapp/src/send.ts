import {
  callProvider,
  type Channel,
  type ProviderRequest,
  type SendOutcome,
  statusOutcome,
  toldReason,
} from "@interlude/channel-kit";
import type { JsonObject } from "@interlude/kernel";
import { z } from "zod";
import { whatsAppAddress } from "./address.ts";
import type { WhatsAppConfig } from "./config.ts";
import { refusedBy } from "./refusals.ts";

const Taken = z.object({
  messages: z.array(z.object({ id: z.string().min(1) })).min(1),
  contacts: z.array(z.object({ wa_id: z.string().min(1) })).optional(),
});
const Refused = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().default(""),
    error_data: z.object({ details: z.string().optional() }).optional(),
  }),
});

function taken({ json, status }: { status: number; json?: unknown }): SendOutcome {
  const parsed = Taken.safeParse(json);
  const messageId = parsed.data?.messages[0]?.id;
  if (messageId === undefined) return { kind: "unknown", reason: `http ${status} without a message id` };
  const number = parsed.data?.contacts?.[0]?.wa_id;
  return { kind: "sent", messageId, ...(number === undefined ? {} : { address: whatsAppAddress(number) }) };
}

function refusal(answer: { json?: unknown; retryAfterMs?: number }, secret: string): SendOutcome | undefined {
  const refused = Refused.safeParse(answer.json);
  if (!refused.success) return undefined;
  const { code, message, error_data } = refused.data.error;
  const words = [message, error_data?.details ?? ""].filter((part) => part !== "").join(": ");
  return refusedBy(code, toldReason(words, [secret]), answer.retryAfterMs);
}

const Made = z.object({ id: z.string().min(1), success: z.boolean().default(true) });
/** An invalid parameter: among others a name that is taken, which is that of the same Flow. */
const INVALID_PARAMETER = "100";
/** More forms than this are made for one ask each, and remembering them saves nothing. */
const KNOWN_FLOWS_MAX = 1_000;

function made(answer: { status: number; json?: unknown }): SendOutcome {
  const parsed = Made.safeParse(answer.json);
  if (!parsed.success) return { kind: "unknown", reason: `http ${answer.status} without a Flow's id` };
  if (parsed.data.success) return { kind: "sent", messageId: parsed.data.id };
  return { kind: "rejected", reason: "Meta does not take the form as a Flow" };
}

async function post(
  { url, body }: { url: string; body: JsonObject },
  signal: AbortSignal,
  { config, timeoutMs }: WhatsAppSend,
  taking: (answer: { status: number; json?: unknown }) => SendOutcome,
): Promise<SendOutcome> {
  const answer = await callProvider({
    url,
    headers: { authorization: `Bearer ${config.accessToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    timeoutMs,
    signal,
  });
  if (answer.kind === "broken") return answer.outcome;
  const byCode = answer.status < 500 ? refusal(answer, config.accessToken) : undefined;
  // The code says more than the status, which is 400 for almost everything; but 429 is never a no.
  if (byCode !== undefined && !(answer.status === 429 && byCode.kind === "rejected")) return byCode;
  const byStatus = statusOutcome(answer);
  if (byStatus !== undefined) return byStatus;
  if (answer.status >= 400) return { kind: "rejected", reason: `http ${answer.status}` };
  return taking(answer);
}

export type WhatsAppSend = Readonly<{ config: WhatsAppConfig; timeoutMs: number }>;

/**
 * One attempt a request. The Cloud API knows no key that would make a second message safe; a Flow is known by
 * its name, and made once. If one that was refused as taken is not there after all, the message says so.
 */
export function createWhatsAppSend(sending: WhatsAppSend): Channel["send"] {
  const { apiUrl, phoneNumberId, wabaId } = sending.config;
  const flows = new Map<string, string>();
  return async ({ method, body }: ProviderRequest, signal: AbortSignal): Promise<SendOutcome> => {
    if (method !== "flows") {
      return post({ url: `${apiUrl}${phoneNumberId}/${method}`, body }, signal, sending, taken);
    }
    const name = typeof body["name"] === "string" ? body["name"] : "";
    const known = flows.get(name);
    if (known !== undefined) return { kind: "sent", messageId: known };
    const outcome = await post({ url: `${apiUrl}${wabaId ?? ""}/flows`, body }, signal, sending, made);
    const isTaken = outcome.kind === "rejected" && outcome.code === INVALID_PARAMETER;
    const id = isTaken ? name : outcome.kind === "sent" ? outcome.messageId : undefined;
    if (id === undefined) return outcome;
    if (flows.size >= KNOWN_FLOWS_MAX) flows.clear();
    flows.set(name, id);
    return { kind: "sent", messageId: id };
  };
}
