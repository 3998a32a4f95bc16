import { describe, expect, it } from "vitest";
import {
  brokenOutcome,
  endText,
  expectation,
  fillNotice,
  matchReply,
  numberedPrompt,
  optionToken,
  parseOptionToken,
  referenceOf,
  retryAfterMs,
  submittedEntries,
  toldReason,
  withMediaLines,
} from "./index.ts";

const answer = (value: string | boolean, params?: Record<string, string>) => ({
  kind: "answer",
  answer: value,
  ...(params === undefined ? {} : { params }),
});

describe("a typed reply to a confirm", () => {
  it.each<[string, unknown]>([
    ["yes", answer(true)],
    [" YES ", answer(true)],
    ["y", answer(true)],
    ["Ok", answer(true)],
    ["true", answer(true)],
    ["1", answer(true)],
    ["no", answer(false)],
    ["N", answer(false)],
    ["FALSE", answer(false)],
    ["0", answer(false)],
    ["no, it is too late", answer(false, { comment: "it is too late" })],
    ["yes , go", answer(true, { comment: "go" })],
    ["yes,", answer(true)],
    ["yes, a, b", answer(true, { comment: "a, b" })],
    ["yes go", { kind: "mismatch", reason: "the reply is neither yes nor no" }],
    ["maybe", { kind: "mismatch", reason: "the reply is neither yes nor no" }],
    [`yes, ${"x".repeat(513)}`, { kind: "mismatch", reason: "the words after the comma are too long" }],
    [`yes, ${"😀".repeat(511)}`, { kind: "mismatch", reason: "the words after the comma are too long" }],
    ["", { kind: "mismatch", reason: "the reply has no text" }],
  ])("%j", (text, expected) => {
    expect(matchReply(text, { format: "confirm" })).toEqual(expected);
  });

  it("understands the language of the deployment, and English always", () => {
    expect(matchReply("Ja, gern", { format: "confirm", language: "de" })).toEqual(
      answer(true, { comment: "gern" }),
    );
    expect(matchReply("SI\u0301", { format: "confirm", language: "es" })).toEqual(answer(true));
    expect(matchReply("yes", { format: "confirm", language: "de" })).toEqual(answer(true));
    expect(matchReply("ja", { format: "confirm" })).toMatchObject({ kind: "mismatch" });
  });
});

describe("a typed reply to a select", () => {
  const options = ["Zu\u0308rich", { value: "gva", label: "Gene\u0300ve" }, "Basel Stadt"];
  const numbered = ["Zu\u0308rich", "gva", "Basel Stadt"];

  it.each<[string, string | undefined]>([
    ["Z\u00fcrich", "Zu\u0308rich"],
    ["zürich ", "Zu\u0308rich"],
    ["genève", "gva"],
    ["GVA", "gva"],
    ["3", "Basel Stadt"],
    ["3.", "Basel Stadt"],
    ["0", undefined],
    ["4", undefined],
    ["Basel", undefined],
    ["1 2", undefined],
  ])("A-UNI-3: %j means %j", (text, value) => {
    const match = matchReply(text, { format: "select", options, numbered });
    expect(match).toEqual(
      value === undefined ? { kind: "mismatch", reason: "the reply is none of the options" } : answer(value),
    );
  });

  it("is no number where the options were not numbered", () => {
    expect(matchReply("1", { format: "select", options })).toMatchObject({ kind: "mismatch" });
  });

  it("is refused when it fits two options, never guessed", () => {
    const twins = [
      { value: "a", label: "b" },
      { value: "b", label: "c" },
    ];
    expect(matchReply("B", { format: "select", options: twins })).toEqual({
      kind: "mismatch",
      reason: "the reply fits two options",
    });
  });
});

describe("a typed reply to a text", () => {
  it("loses surrounding whitespace only", () => {
    expect(matchReply("\n a  b\u0308 \t", { format: "text" })).toEqual(answer("a  b\u0308"));
  });

  it("A-TEL-6: is no answer when it shows nothing", () => {
    expect(matchReply(" \u200b", { format: "text" })).toEqual({
      kind: "mismatch",
      reason: "the reply has no text",
    });
  });

  it.each(["a\0b", "half \ud83d"])("A-UNI-2: is refused as %j, which no answer may hold", (text) => {
    expect(matchReply(text, { format: "text" })).toEqual({
      kind: "mismatch",
      reason: "the reply holds NUL or half a character",
    });
    expect(matchReply(`yes, ${text}`, { format: "confirm" })).toMatchObject({ kind: "mismatch" });
  });

  it("is refused over the cap, and says so", () => {
    expect(matchReply("x".repeat(16_385), { format: "text" })).toEqual({
      kind: "mismatch",
      reason: "answer must be at most 16384 characters long and has 16385",
    });
  });
});

describe("options under a question", () => {
  it("are numbered, with their labels", () => {
    expect(numberedPrompt("Where?", ["Here", { value: "t", label: "There" }])).toEqual({
      text: "Where?\n\n1. Here\n2. There\n\nReply with the number or the text of one of them.",
      numbered: ["Here", "t"],
    });
  });

  it.each(["2", "1.5", "-3", " 7 "])("are not numbered where one is itself a number: %j", (number) => {
    expect(numberedPrompt("How many?", ["none", number])).toEqual({
      text: `How many?\n\n- none\n- ${number}\n\nReply with the text of one of them.`,
    });
  });
});

describe("what a button carries", () => {
  it("A-OUT-1: is at most 64 bytes and comes back as it went, whatever the id", () => {
    for (const id of ["a".repeat(8), "k_".padEnd(59, "x"), "z".repeat(60), "z".repeat(64)]) {
      const reference = referenceOf(id);
      for (const choice of [0, 199, "yes", "no", "form"] as const) {
        const token = optionToken(reference, choice);
        expect(Buffer.byteLength(token)).toBeLessThanOrEqual(64);
        expect(parseOptionToken(token)).toEqual({ reference, choice: String(choice) });
      }
    }
    expect(referenceOf("z".repeat(60))).not.toBe(referenceOf("z".repeat(61)));
  });

  it.each(["", "abc", "abc:", "abc:maybe", "a b:1", "abc:1000", ":1", "abc:1:2"])(
    "%j is not ours",
    (token) => {
      expect(parseOptionToken(token)).toBeUndefined();
    },
  );

  it("breaks on a reference that was not made for it", () => {
    expect(() => optionToken("x".repeat(64), "form")).toThrow("too long");
  });
});

describe("what a person is told", () => {
  it("says what is expected, and lists options only while the list is short", () => {
    expect(expectation({ format: "text" })).toBe("Please reply with a text.");
    expect(expectation({ format: "confirm" })).toBe("Please answer yes or no.");
    expect(expectation({ format: "select", options: ["a", "b"] }, true)).toBe(
      "Please reply with one of the options:\n1. a\n2. b",
    );
    expect(expectation({ format: "select", options: ["a"] })).toContain("- a");
    expect(expectation({ format: "select", options: ["x".repeat(512), "y".repeat(512)] })).toBe(
      "Please reply with one of the options of the question.",
    );
    expect(expectation({ format: "form", schema: {} })).toContain("form");
    expect(expectation({ format: "external" })).toContain("link");
  });

  it("puts a reason into the asker's words plainly, each time it stands there", () => {
    expect(fillNotice("No: {reason}. {reason}! {other}", "$& costs $1")).toBe(
      "No: $& costs $1. $& costs $1! {other}",
    );
    expect(fillNotice("Try again", "why")).toBe("Try again");
  });

  it("says how a question ended", () => {
    expect(endText({ status: "answered", answer: "Basel" })).toBe("Answered: Basel");
    expect(endText({ status: "answered" })).toBe("Answered");
    expect(endText({ status: "expired" })).toContain("expired");
  });

  it("has media as lines where there is no other place for them", () => {
    const url = "https://files.example/a.pdf";
    expect(
      withMediaLines("Look", [
        { kind: "document", url, filename: "a.pdf" },
        { kind: "link", url },
      ]),
    ).toBe(`Look\n\na.pdf: ${url}\n${url}`);
    expect(withMediaLines("Look", [])).toBe("Look");
  });
});

describe("a medium's own form", () => {
  const schema = {
    type: "object",
    properties: { note: { type: "string" }, where: { type: "string", enum: ["a", "b"] } },
  };

  it("is read as a page would have sent it", () => {
    const submitted = [
      { place: 0, text: "hi" },
      { place: 1, choice: 1 },
    ];
    expect(submittedEntries({ schema }, submitted)).toEqual([
      ["note", "hi"],
      ["where", "b"],
    ]);
    const pages = [{ title: "One", properties: ["where", "note"] }];
    expect(submittedEntries({ schema, pages }, [{ place: 1, text: "hi" }])).toEqual([["note", "hi"]]);
  });

  it("takes the options of this ask, and no place that there is not", () => {
    const data = { options: { where: [{ value: "x" }, { value: "y" }, { value: "z" }] } };
    expect(submittedEntries({ schema, data }, [{ place: 1, choice: 2 }])).toEqual([["where", "z"]]);
    expect(submittedEntries({ schema }, [{ place: 1, choice: 2 }])).toEqual([["where", "#2"]]);
    expect(submittedEntries({ schema }, [{ place: 7, text: "x" }])).toEqual([["#7", ""]]);
  });
});

describe("what a provider says", () => {
  it("is waited for as long as it asks", () => {
    const now = Date.parse("2026-12-02T10:00:00Z");
    expect(retryAfterMs("30", now)).toBe(30_000);
    expect(retryAfterMs("0.5", now)).toBe(500);
    expect(retryAfterMs("Wed, 02 Dec 2026 10:00:07 GMT", now)).toBe(7_000);
    expect(retryAfterMs("Wed, 02 Dec 2026 09:00:07 GMT", now)).toBe(0);
    expect(retryAfterMs("soon", now)).toBeUndefined();
    expect(retryAfterMs(null, now)).toBeUndefined();
  });

  it("is told on one short line without our secrets", () => {
    expect(toldReason("bad\ntoken s3cret  here", ["s3cret", ""])).toBe("bad token [secret] here");
    expect(toldReason("x".repeat(400), [])).toHaveLength(301);
  });

  it("is unknown when it is not there, unless nothing was sent", () => {
    const because = (code: string) =>
      new TypeError("fetch failed to https://secret", {
        cause: Object.assign(new Error("secret"), { code }),
      });
    expect(brokenOutcome(because("ECONNREFUSED"))).toEqual({
      kind: "not_sent",
      reason: "not reached: ECONNREFUSED",
    });
    expect(brokenOutcome(because("UND_ERR_SOCKET"))).toEqual({
      kind: "unknown",
      reason: "connection lost: UND_ERR_SOCKET",
    });
    expect(brokenOutcome(new DOMException("late", "TimeoutError"))).toMatchObject({ reason: "timeout" });
    expect(brokenOutcome(new DOMException("stop", "AbortError"))).toMatchObject({ reason: "aborted" });
    expect(brokenOutcome("secret")).toEqual({ kind: "unknown", reason: "connection lost" });
  });
});
