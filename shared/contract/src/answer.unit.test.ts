import type { Json } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { boundedParams, callbackObject, checkPlainAnswer, parseAnswerBody } from "./answer.ts";
import { EXPIRED_MARKER, isExpiredMarker } from "./expired-marker.ts";

describe("an answer's body", () => {
  it.each<Json>([null, false, 0, "", [], {}])("A-RES-4: %j is an answer like any other", (answer) => {
    expect(parseAnswerBody({ answer })).toEqual({ ok: true, value: { answer } });
  });

  it.each<[Json, string[]]>([
    [{}, ["/answer"]],
    [null, [""]],
    [[], [""]],
    ["x", [""]],
    [{ answer: 1, extra: 1 }, ["/extra"]],
    [{ answer: 1, params: [] }, ["/params"]],
    [{ answer: 1, params: { a: 1 } }, ["/params/a"]],
    [{ answer: { interaction_expired: true } }, ["/answer"]],
  ])("%j is refused", (body, expected) => {
    const parsed = parseAnswerBody(body);
    expect(parsed.ok ? [] : parsed.faults.map(({ path }) => path)).toEqual(expected);
  });

  it("keeps params as they are", () => {
    const body = { answer: "x", params: { reply_id: "a", comment: "", constructor: "b" } };
    expect(parseAnswerBody(body)).toEqual({ ok: true, value: body });
  });
});

describe("a plain answer", () => {
  it.each<["text" | "confirm" | "select", Json, boolean]>([
    ["text", "hi", true],
    ["text", "", true],
    ["text", 3, false],
    ["text", null, false],
    ["confirm", true, true],
    ["confirm", false, true],
    ["confirm", "yes", false],
    ["confirm", 1, false],
    ["confirm", null, false],
    ["select", "{a,b}", true],
    ["select", "v", true],
    ["select", "Label", false],
    ["select", "{A,B}", false],
    ["select", " v", false],
    ["select", ["v"], false],
    ["select", null, false],
  ])("A-NUM-4, A-JSON-2: to %s may be %j: %s", (format, answer, right) => {
    const options = ["C:\\new", 'say "hi"', "{a,b}", { value: "v", label: "Label" }];
    expect(checkPlainAnswer(format, options, answer)).toHaveLength(right ? 0 : 1);
  });

  it("30: says what the options are", () => {
    expect(checkPlainAnswer("select", ["a", { value: "b", label: "B" }], "c")).toEqual([
      { path: "/answer", message: 'answer must be one of "a", "b"' },
    ]);
  });
});

describe("the marker of an expired question", () => {
  it("is told from what merely looks like it", () => {
    expect(isExpiredMarker(EXPIRED_MARKER)).toBe(true);
    for (const other of [
      { interaction_expired: false },
      { interaction_expired: true, a: 1 },
      {},
      [],
      null,
      "x",
    ]) {
      expect(isExpiredMarker(other)).toBe(false);
    }
  });

  it("A-EXP-1: cannot come by a callback either", () => {
    expect(callbackObject({ interaction_expired: true }).ok).toBe(false);
    expect(callbackObject([1]).ok).toBe(false);
    expect(callbackObject({ a: "1" })).toEqual({ ok: true, value: { a: "1" } });
  });
});

describe("what comes along with what a person does", () => {
  const many = (count: number, value = "v") =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

  it("is kept as it is, where it is a text that says something", () => {
    const given = { a: "x", b: "", c: 1, d: null, e: undefined, f: { g: 1 }, h: " ", i: "\0", j: "\ud800" };
    expect(boundedParams(given)).toEqual({ params: { a: "x", h: " " } });
    expect(boundedParams({ a: "" })).toEqual({});
  });

  it("is left out whole where it is more than may come along", () => {
    expect(boundedParams({ a: "😀".repeat(511), b: "x".repeat(513) })).toEqual({
      params: { a: "😀".repeat(511) },
    });
    expect(boundedParams({ ...many(4, "x".repeat(510)), last: "y" })).toEqual({
      params: many(4, "x".repeat(510)),
    });
    expect(Object.keys(boundedParams(many(20)).params ?? {})).toEqual(Object.keys(many(16)));
    const params = boundedParams({ ...many(9, "é".repeat(200)), last: "y" }).params ?? {};
    expect(parseAnswerBody({ answer: 1, params }).ok).toBe(true);
    expect(params).toHaveProperty("last");
  });
});
