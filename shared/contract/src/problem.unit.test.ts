import { describe, expect, it } from "vitest";
import { PROBLEM_CODES, PROBLEM_STATUS, problem } from "./problem.ts";
import { hasVisible } from "./text.ts";

describe("a problem", () => {
  it.each(PROBLEM_CODES)("%s has a status, a title and the detail it is given", (code) => {
    const made = problem(code, "What happened");
    expect(made).toMatchObject({ code, status: PROBLEM_STATUS[code], detail: "What happened" });
    expect(made.title).not.toBe("");
    expect(made).not.toHaveProperty("errors");
  });

  it("carries the faults it is given", () => {
    const faults = [{ path: "/a", message: "a is required" }];
    expect(problem("validation_failed", "x", faults).errors).toEqual(faults);
  });
});

describe("a visible character", () => {
  it.each(["a", "日", "💩", "-", "  .", "\u0301a"])("is in %j", (text) => {
    expect(hasVisible(text)).toBe(true);
  });

  it.each([
    "",
    " \t\n",
    "\u200b\u200d\ufeff",
    "\u00a0\u2003\u3000",
    "\u202e\u2066",
    "\u3164\u115f\uffa0",
    "\u2800",
    "\ufe0f",
    "\u0000\u0085",
    "\u00ad",
  ])("is not in %j", (text) => {
    expect(hasVisible(text)).toBe(false);
  });
});
