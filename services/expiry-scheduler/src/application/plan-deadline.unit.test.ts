import { describe, expect, it } from "vitest";
import { planDeadline } from "./plan-deadline.ts";

describe("a deadline", () => {
  it.each([
    ["has passed", -5_000, { kind: "hold" }],
    ["is now", 0, { kind: "hold" }],
    ["is near", 2_000, { kind: "hold" }],
    ["is just not near", 2_001, { kind: "timer", atMs: 1_501 }],
    ["is 60 years away", 60 * 31_536_000_000, { kind: "timer", atMs: 60 * 31_536_000_000 - 500 }],
  ])("that %s waits where it should", (_, dueInMs, plan) => {
    expect(planDeadline(dueInMs, 0)).toEqual(plan);
  });
});
