import { createHmac } from "node:crypto";
import { constantTimeEqual } from "./constant-time-equal.ts";

/** Providers sign the bytes on the wire: a body parsed and written again no longer matches. */
export type SignedBody = { readonly secret: string; readonly body: Uint8Array };

const HEX_SHA256 = /^[0-9a-f]{64}$/i;
const HUB = /^sha256=([0-9a-f]{64})$/i;
const SLACK = /^v0=([0-9a-f]{64})$/i;
const DECIMAL = /^\d{1,15}$/;

/** GitHub's and Meta's `X-Hub-Signature-256: sha256=<hex>`. A repeated header arrives joined, and matches nothing. */
export function hasHubSignature(header: string | null, signed: SignedBody): boolean {
  const [, given] = HUB.exec(header ?? "") ?? [];
  return given !== undefined && matches(given, hmacHex(signed, ""));
}

/** Slack's `X-Slack-Signature: v0=<hex>` over `v0:<timestamp>:<body>`. */
export function hasSlackSignature(
  headers: { signature: string | null; timestamp: string | null },
  signed: SignedBody,
  clock: { nowMs: number; toleranceSeconds: number },
): boolean {
  const [, given] = SLACK.exec(headers.signature ?? "") ?? [];
  const timestamp = headers.timestamp ?? "";
  if (given === undefined || !isRecent(timestamp, clock)) return false;
  return matches(given, hmacHex(signed, `v0:${timestamp}:`));
}

/**
 * Stripe's `Stripe-Signature: t=<seconds>,v1=<hex>,…` over `<t>.<body>`. While a secret is rolled there are
 * several `v1`, any of which may be ours; other schemes are ignored, and more than one `t` is nobody's header.
 */
export function hasStripeSignature(
  header: string | null,
  signed: SignedBody,
  clock: { nowMs: number; toleranceSeconds: number },
): boolean {
  const times: string[] = [];
  const candidates: string[] = [];
  for (const item of (header ?? "").split(",")) {
    const [scheme, value] = splitOnce(item.trim());
    if (scheme === "t") times.push(value);
    if (scheme === "v1" && HEX_SHA256.test(value)) candidates.push(value);
  }
  const [time, another] = times;
  if (time === undefined || another !== undefined || !isRecent(time, clock)) return false;
  const expected = hmacHex(signed, `${time}.`);
  return candidates.filter((candidate) => matches(candidate, expected)).length > 0;
}

/** Whole seconds in decimal, near the clock in both directions: a date in the future could be kept for later. */
function isRecent(seconds: string, clock: { nowMs: number; toleranceSeconds: number }): boolean {
  if (!DECIMAL.test(seconds)) return false;
  return Math.abs(Math.floor(clock.nowMs / 1000) - Number(seconds)) <= clock.toleranceSeconds;
}

// An empty secret signs for everybody, so it signs for nobody.
function hmacHex({ secret, body }: SignedBody, prefix: string): string | undefined {
  if (secret === "") return undefined;
  return createHmac("sha256", secret).update(prefix).update(body).digest("hex");
}

function matches(given: string, expected: string | undefined): boolean {
  return expected !== undefined && constantTimeEqual(given.toLowerCase(), expected);
}

function splitOnce(item: string): [string, string] {
  const at = item.indexOf("=");
  return at < 0 ? [item, ""] : [item.slice(0, at), item.slice(at + 1)];
}
