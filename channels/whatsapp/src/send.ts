import {
  callProvider,
  type ProviderRequest,
  type SendOutcome,
  statusOutcome,
  toldReason,
} from "@interlude/channel-kit";
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

function taken(json: unknown, status: number): SendOutcome {
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

/** One attempt. The Cloud API knows no key that would make a second one safe. */
export async function sendWhatsApp(
  request: ProviderRequest,
  signal: AbortSignal,
  { config, timeoutMs }: { config: WhatsAppConfig; timeoutMs: number },
): Promise<SendOutcome> {
  const answer = await callProvider({
    url: `${config.apiUrl}${config.phoneNumberId}/${request.method}`,
    headers: { authorization: `Bearer ${config.accessToken}`, "content-type": "application/json" },
    body: JSON.stringify(request.body),
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
  return taken(answer.json, answer.status);
}
