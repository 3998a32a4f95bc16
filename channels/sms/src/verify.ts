import { createHmac } from "node:crypto";
import type { WebhookDelivery } from "@interlude/channel-kit";
import { constantTimeEqual } from "@interlude/secrets";

const SIGNATURE = /^[A-Za-z0-9+/]{27}=$/;

/**
 * The addresses that Twilio may have signed: ours as it is known outside, whatever host the request names,
 * with its port written and without.
 */
function signedUrls(publicBaseUrl: string, target: string): string[] {
  const { protocol, hostname, port } = new URL(publicBaseUrl);
  const standard = protocol === "https:" ? "443" : "80";
  const path = target.startsWith("/") ? target : `/${target}`;
  return [`${protocol}//${hostname}`, `${protocol}//${hostname}:${port === "" ? standard : port}`].map(
    (origin) => `${origin}${path}`,
  );
}

/** Names in order, each followed by its values; a value that came twice counts once. */
function signedFields(body: string): string {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of new URLSearchParams(body)) {
    values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  return [...values.keys()]
    .sort()
    .map((name) =>
      [...(values.get(name) ?? [])]
        .sort()
        .map((value) => `${name}${value}`)
        .join(""),
    )
    .join("");
}

/** `X-Twilio-Signature`: HMAC-SHA1 over the address and the fields (twilio.com/docs/usage/security). */
export function verifyTwilio(
  delivery: WebhookDelivery,
  secret: { authToken: string; publicBaseUrl: string | undefined },
): { readonly ok: boolean } {
  const given = delivery.headers.get("x-twilio-signature") ?? "";
  const { authToken, publicBaseUrl } = secret;
  const isPossible = delivery.method === "POST" && authToken !== "" && SIGNATURE.test(given);
  if (!isPossible || publicBaseUrl === undefined) return { ok: false };
  const fields = signedFields(Buffer.from(delivery.rawBody).toString("utf8"));
  const matching = signedUrls(publicBaseUrl, delivery.url).filter((url) =>
    constantTimeEqual(
      createHmac("sha1", authToken)
        .update(url + fields)
        .digest("base64"),
      given,
    ),
  );
  return { ok: matching.length > 0 };
}
