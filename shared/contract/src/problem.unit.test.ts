import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { pointer } from "./parsed.ts";
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

describe("a pointer", () => {
  it("escapes what separates its steps", () => {
    expect(pointer("", "a/b", "~", 0)).toBe("/a~1b/~0/0");
    expect(pointer("/media", 3, "")).toBe("/media/3/");
  });
});

describe("canonical JSON", () => {
  it("is the same for any order of keys, and sorts them as UTF-16", () => {
    expect(canonicalJson({ b: 1, a: [{ "10": 1, "9": "é" }] })).toBe('{"a":[{"10":1,"9":"é"}],"b":1}');
    expect(canonicalJson({ "\ufb33": 1, "😀": 2, "\u20ac": 3 })).toBe('{"€":3,"😀":2,"\ufb33":1}');
    expect(canonicalJson([1e21, 1e-7, -0, 1.0, 0.1])).toBe("[1e+21,1e-7,0,1,0.1]");
    expect(canonicalJson([null, true, "\u000f\n\u2028"])).toBe('[null,true,"\\u000f\\n\u2028"]');
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
