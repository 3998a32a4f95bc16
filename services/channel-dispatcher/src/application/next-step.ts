import type { SendOutcome } from "@interlude/channel-kit";

export type AttemptRules = Readonly<{ attempts: number; backoffMs: number }>;

export type Attempt = Readonly<{
  /** From 1. */
  number: number;
  /** Attempts before this one of which nobody knows whether they arrived. */
  unknownBefore: number;
  /** Until the question ends by itself. */
  remainingMs: number;
}>;

export type NextStep =
  | Readonly<{ kind: "sent" }>
  | Readonly<{ kind: "again"; delayMs: number }>
  /** The question has not arrived and will not. */
  | Readonly<{ kind: "failed"; reason: string }>
  /** It may have arrived: the person may answer, and nothing more is sent. */
  | Readonly<{ kind: "unknown"; reason: string }>;

/** Sends of unknown outcome that are made for one question. */
const UNKNOWN_MAX_ATTEMPTS = 2;

/** What happens after an attempt. A message that may have arrived is sent once more at most. */
export function nextStep(outcome: SendOutcome, attempt: Attempt, rules: AttemptRules): NextStep {
  if (outcome.kind === "sent") return { kind: "sent" };
  if (outcome.kind === "rejected") return { kind: "failed", reason: toldOutcome(outcome) };
  const mayHaveArrived = attempt.unknownBefore + (outcome.kind === "unknown" ? 1 : 0);
  const over = (why: string): NextStep => {
    const reason = `${toldOutcome(outcome)}${why}`;
    return mayHaveArrived > 0 ? { kind: "unknown", reason } : { kind: "failed", reason };
  };
  if (mayHaveArrived >= UNKNOWN_MAX_ATTEMPTS) return over("");
  if (attempt.number >= rules.attempts) return over(` (attempt ${attempt.number} of ${rules.attempts})`);
  const asked = outcome.kind === "rate_limited" ? outcome.retryAfterMs : 0;
  const delayMs = Math.max(asked, rules.backoffMs * 2 ** (attempt.number - 1));
  if (delayMs >= attempt.remainingMs) return over(", and its deadline comes first");
  return { kind: "again", delayMs };
}

/** The outcome in a line, as it is recorded and shown. */
export function toldOutcome(outcome: SendOutcome): string {
  switch (outcome.kind) {
    case "sent":
      return "sent";
    case "rejected":
      return outcome.code === undefined ? outcome.reason : `${outcome.reason} (code ${outcome.code})`;
    case "rate_limited":
      return `rate limited for ${Math.ceil(outcome.retryAfterMs / 1_000)} s`;
    case "not_sent":
    case "unknown":
      return outcome.reason;
  }
}
