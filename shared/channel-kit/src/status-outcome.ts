import { RETRY_AFTER_DEFAULT_MS } from "./retry-after.ts";
import type { SendOutcome } from "./send-outcome.ts";

/**
 * What an answer's status alone decides; undefined where the body has to be read. A provider that fails may
 * have taken the message all the same.
 */
export function statusOutcome(answer: { status: number; retryAfterMs?: number }): SendOutcome | undefined {
  const { status, retryAfterMs = RETRY_AFTER_DEFAULT_MS } = answer;
  if (status === 429) return { kind: "rate_limited", retryAfterMs, scope: "channel" };
  if (status >= 500 || status === 408) return { kind: "unknown", reason: `http ${status}` };
  // Nobody follows it: whoever is there would get the credentials.
  if (status >= 300 && status < 400) return { kind: "rejected", reason: `redirected with http ${status}` };
  return undefined;
}
