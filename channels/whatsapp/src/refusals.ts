import type { SendOutcome } from "@interlude/channel-kit";

/** More than 24 hours since the person wrote: only a template may go. */
export const NEEDS_OPENER = 131_047;

type Wait = Readonly<{ scope: "conversation" | "channel"; ms: number }>;

/**
 * Meta says "later" with status 400, and by these codes
 * (developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes).
 */
const LATER: ReadonlyMap<number, Wait> = new Map([
  [4, { scope: "channel", ms: 60_000 }],
  [80_007, { scope: "channel", ms: 60_000 }],
  [130_429, { scope: "channel", ms: 1_000 }],
  [131_048, { scope: "channel", ms: 60_000 }],
  // One message in six seconds to one person.
  [131_056, { scope: "conversation", ms: 6_000 }],
]);

/** No to the token, to what it may do, or to the account: whatever is sent. */
const NO_TO_US: ReadonlySet<number> = new Set([0, 3, 190, 131_005, 131_031]);

/** Faults of Meta's own, after which the message may have gone. */
const UNKNOWN: ReadonlySet<number> = new Set([1, 2, 131_000, 131_016, 133_004]);

/** What a refusal with a code comes to. */
export function refusedBy(code: number, reason: string, retryAfterMs: number | undefined): SendOutcome {
  const wait = LATER.get(code);
  if (wait !== undefined) {
    return { kind: "rate_limited", retryAfterMs: retryAfterMs ?? wait.ms, scope: wait.scope };
  }
  if (UNKNOWN.has(code)) return { kind: "unknown", reason: `error ${code}` };
  return {
    kind: "rejected",
    reason,
    code: String(code),
    ...(code === NEEDS_OPENER ? { needsOpener: true } : {}),
    ...(NO_TO_US.has(code) ? { refusesUs: true } : {}),
  };
}
