import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { isJsonList, isJsonObject, ownValue } from "./json.ts";
import { pointer, pointerSteps } from "./json-pointer.ts";

describe("a pointer", () => {
  it("escapes what separates its steps", () => {
    expect(pointer("", "a/b", "~", 0)).toBe("/a~1b/~0/0");
    expect(pointer("/media", 3, "")).toBe("/media/3/");
    expect(pointerSteps(pointer("", "a/b", "~1", ""))).toEqual(["a/b", "~1", ""]);
    expect(pointerSteps("")).toEqual([]);
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

describe("a JSON object", () => {
  it("is neither null nor a list", () => {
    expect([{}, null, [], "{}"].map(isJsonObject)).toEqual([true, false, false, false]);
    expect([[], {}, undefined].map(isJsonList)).toEqual([true, false, false]);
  });

  it("has its own members only", () => {
    expect(ownValue({ a: 1 }, "a")).toBe(1);
    expect(ownValue({}, "toString")).toBeUndefined();
  });
});
