import type { WebhookDelivery } from "@interlude/channel-kit";
import { constantTimeEqual } from "@interlude/secrets";

/** Telegram signs nothing; it sends back the secret that the webhook was set with. */
export function verifyTelegram(
  { method, headers }: WebhookDelivery,
  secret: string,
): { readonly ok: boolean } {
  const given = headers.get("x-telegram-bot-api-secret-token");
  return { ok: method === "POST" && secret !== "" && given !== null && constantTimeEqual(given, secret) };
}
