import type { WebhookDelivery } from "@interlude/channel-kit";
import { hasSlackSignature } from "@interlude/secrets";

/** In both directions: a date in the future could be kept for later. */
const TOLERANCE_SECONDS = 300;

export function verifySlack(
  { method, headers, rawBody }: WebhookDelivery,
  secret: string,
  nowMs: number,
): { readonly ok: boolean } {
  const given = {
    signature: headers.get("x-slack-signature"),
    timestamp: headers.get("x-slack-request-timestamp"),
  };
  const signed = { secret, body: rawBody };
  const clock = { nowMs, toleranceSeconds: TOLERANCE_SECONDS };
  return { ok: method === "POST" && hasSlackSignature(given, signed, clock) };
}
