import { constantTimeEqual } from "./constant-time-equal.ts";
import type { Verifier } from "./verifier-config.ts";
import { hasHubSignature, hasSlackSignature, hasStripeSignature } from "./webhook-signature.ts";

export type Delivery = {
  readonly verifier: Verifier;
  readonly secret: string;
  /** A header's values, joined by ", " when it came more than once; null when it did not come. */
  readonly headers: { get(name: string): string | null };
  readonly body: Uint8Array;
  readonly nowMs: number;
};

/** One kind of refusal only: why a delivery failed is of use to a forger alone. */
export type Verification = { readonly ok: true; readonly deliveryId?: string } | { readonly ok: false };

const SLACK_TOLERANCE_SECONDS = 300;
const LONGEST_DELIVERY_ID = 255;
const REFUSED: Verification = { ok: false };

/** Decides on bytes, headers, secret and clock alone; refuses, and never throws, whatever they are. */
export function verifyDelivery(delivery: Delivery): Verification {
  const { verifier, secret, headers, body, nowMs } = delivery;
  switch (verifier.name) {
    case "github":
      if (!hasHubSignature(headers.get("x-hub-signature-256"), { secret, body })) return REFUSED;
      return accepted(headers.get("x-github-delivery"));
    case "stripe": {
      const clock = { nowMs, toleranceSeconds: verifier.config.tolerance_seconds };
      if (!hasStripeSignature(headers.get("stripe-signature"), { secret, body }, clock)) return REFUSED;
      return accepted(textIn(body, "id"));
    }
    case "slack": {
      const signature = headers.get("x-slack-signature");
      const signed = { signature, timestamp: headers.get("x-slack-request-timestamp") };
      const clock = { nowMs, toleranceSeconds: SLACK_TOLERANCE_SECONDS };
      if (!hasSlackSignature(signed, { secret, body }, clock)) return REFUSED;
      // Interactions carry no id; their signature covers the time and the body, and so is one.
      return accepted(textIn(body, "event_id") ?? signature?.toLowerCase());
    }
    case "shared_secret": {
      const { header, id_header } = verifier.config;
      if (!carriesSecret(headers.get(header), secret)) return REFUSED;
      return accepted(id_header === undefined ? undefined : headers.get(id_header));
    }
  }
}

/** Header values are the wire's bytes, one a character, so a secret beyond ASCII is compared as bytes too. */
function carriesSecret(header: string | null, secret: string): boolean {
  if (header === null || secret === "" || /[^\0-\xff]/.test(header)) return false;
  return constantTimeEqual(Buffer.from(header, "latin1"), secret);
}

function accepted(deliveryId: string | null | undefined): Verification {
  const usable =
    typeof deliveryId === "string" && deliveryId !== "" && deliveryId.length <= LONGEST_DELIVERY_ID;
  return usable ? { ok: true, deliveryId } : { ok: true };
}

/** A text member of a JSON body. That the body may be something else is found out later, with a proper fault. */
function textIn(body: Uint8Array, member: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const value: unknown = Object.getOwnPropertyDescriptor(parsed, member)?.value;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
