import type { WebhookDelivery, WebhookReply } from "@interlude/channel-kit";
import { constantTimeEqual, hasHubSignature } from "@interlude/secrets";

function query(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at));
}

/** `GET` is the handshake, proved by our own token; `POST` is signed over its bytes. */
export function verifyMeta(
  { method, url, headers, rawBody }: WebhookDelivery,
  secrets: { appSecret: string; verifyToken: string },
): { readonly ok: boolean } {
  if (method === "POST") {
    const header = headers.get("x-hub-signature-256");
    return { ok: hasHubSignature(header, { secret: secrets.appSecret, body: rawBody }) };
  }
  const given = query(url).get("hub.verify_token") ?? "";
  const isOurs = secrets.verifyToken !== "" && constantTimeEqual(given, secrets.verifyToken);
  return { ok: method === "GET" && query(url).get("hub.mode") === "subscribe" && isOurs };
}

/** The challenge comes back as it was sent, as text and only where it can be nothing else. */
export function answerHandshake(url: string): WebhookReply {
  const challenge = query(url).get("hub.challenge") ?? "";
  const isPlain = /^[\w.-]{1,256}$/.test(challenge);
  return { status: isPlain ? 200 : 400, body: isPlain ? challenge : "", contentType: "text/plain" };
}
