import type { SendOutcome } from "@interlude/channel-kit";
import { describe, expect, it } from "vitest";
import { nextStep, type NextStep } from "./next-step.ts";

const RULES = { attempts: 3, backoffMs: 1_000 };
const FAR_MS = 3_600_000;
const notSent: SendOutcome = { kind: "not_sent", reason: "not reached" };
const unknown: SendOutcome = { kind: "unknown", reason: "timeout" };
const limited = (retryAfterMs: number): SendOutcome => ({
  kind: "rate_limited",
  retryAfterMs,
  scope: "channel",
});

type Case = [name: string, outcome: SendOutcome, number: number, unknownBefore: number, expected: NextStep];

const CASES: Case[] = [
  ["what was sent is done", { kind: "sent", messageId: "1" }, 1, 0, { kind: "sent" }],
  ["a refusal fails at once", { kind: "rejected", reason: "no" }, 1, 0, { kind: "failed", reason: "no" }],
  [
    "a refusal is told with its code",
    { kind: "rejected", reason: "no", code: "21617" },
    1,
    0,
    { kind: "failed", reason: "no (code 21617)" },
  ],
  ["the first repeat comes after the backoff", notSent, 1, 0, { kind: "again", delayMs: 1_000 }],
  ["the second after twice that", notSent, 2, 0, { kind: "again", delayMs: 2_000 }],
  ["the last attempt is the last", notSent, 3, 0, { kind: "failed", reason: "not reached (attempt 3 of 3)" }],
  ["a provider's longer wait is kept", limited(3_000), 1, 0, { kind: "again", delayMs: 3_000 }],
  ["its shorter one does not shorten the backoff", limited(100), 2, 0, { kind: "again", delayMs: 2_000 }],
  [
    "limits end the attempts too",
    limited(3_000),
    3,
    0,
    { kind: "failed", reason: "rate limited for 3 s (attempt 3 of 3)" },
  ],
  ["what may have arrived is sent once more", unknown, 1, 0, { kind: "again", delayMs: 1_000 }],
  ["and no third time", unknown, 2, 1, { kind: "unknown", reason: "timeout" }],
  [
    "what may have arrived before does not fail for a later fault",
    notSent,
    3,
    1,
    { kind: "unknown", reason: "not reached (attempt 3 of 3)" },
  ],
  ["a refusal after it does", { kind: "rejected", reason: "no" }, 2, 1, { kind: "failed", reason: "no" }],
];

describe("after an attempt to deliver", () => {
  it.each(CASES)("%s", (_name, outcome, number, unknownBefore, expected) => {
    expect(nextStep(outcome, { number, unknownBefore, remainingMs: FAR_MS }, RULES)).toEqual(expected);
  });

  it("nothing is tried past the deadline", () => {
    const attempt = { number: 1, unknownBefore: 0, remainingMs: 900 };
    expect(nextStep(notSent, attempt, RULES)).toEqual({
      kind: "failed",
      reason: "not reached, and its deadline comes first",
    });
    expect(nextStep(unknown, attempt, RULES).kind).toBe("unknown");
  });

  it("one attempt is one attempt, where no more are wanted", () => {
    const attempt = { number: 1, unknownBefore: 0, remainingMs: FAR_MS };
    expect(nextStep(unknown, attempt, { attempts: 1, backoffMs: 0 }).kind).toBe("unknown");
    expect(nextStep(notSent, attempt, { attempts: 1, backoffMs: 0 }).kind).toBe("failed");
  });
});
