import { describe, expect, it } from "vitest";
import { parseLastEventId, parseSequence } from "./sequence.ts";
import { parsePrefer, parseWait } from "./waiting.ts";

describe("the wait parameter", () => {
  it.each([
    [undefined, 0],
    [null, 0],
    ["0", 0],
    ["60", 60],
    ["0.5", 0.5],
  ])("%j is %d seconds", (text, seconds) => {
    expect(parseWait(text)).toEqual({ ok: true, value: seconds });
  });

  it.each(["", "61", "60.001", "-1", "1e1", "x", "NaN", "Infinity", " 5"])("%j is refused", (text) => {
    expect(parseWait(text)).toMatchObject({ ok: false, faults: [{ path: "wait" }] });
  });
});

describe("the Prefer header", () => {
  it.each([
    [undefined, { delivered: false }],
    ["", { delivered: false }],
    ["wait=30", { delivered: false, waitSeconds: 30 }],
    ["delivered, wait=30", { delivered: true, waitSeconds: 30 }],
    ['Wait = "5" ; x=y,DELIVERED', { delivered: true, waitSeconds: 5 }],
    ["wait=600", { delivered: false, waitSeconds: 60 }],
    ["wait=1, wait=2", { delivered: false, waitSeconds: 1 }],
    ["wait=soon, wait=-1, respond-async", { delivered: false }],
    ['foo="delivered, wait=3"', { delivered: false }],
    ["delivered=no", { delivered: false }],
    ["wait", { delivered: false }],
  ])("%j is %j", (header, preferences) => {
    expect(parsePrefer(header)).toEqual(preferences);
  });

  it("does not take long over many quotes", () => {
    const start = performance.now();
    parsePrefer('"'.repeat(16_001));
    parsePrefer("a".repeat(16_000));
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe("where a stream goes on", () => {
  it.each(["+1", "-1", "01", "1.0", "1e3", " 1", "1\n", "0x1", "12345678901234567", "9999999999999999", "١"])(
    "%j is no sequence",
    (text) => {
      expect(parseSequence(text)).toBeUndefined();
      expect(parseLastEventId(text)).toEqual({ kind: "malformed" });
    },
  );

  it("is after the header's id, else after the query's; an empty one is as absent", () => {
    expect(parseLastEventId("7", "8")).toEqual({ kind: "after", sequence: 7 });
    expect(parseLastEventId("", "8")).toEqual({ kind: "after", sequence: 8 });
    expect(parseLastEventId(undefined, "8")).toEqual({ kind: "after", sequence: 8 });
    expect(parseLastEventId("x", "8")).toEqual({ kind: "malformed" });
    expect(parseLastEventId("", "")).toEqual({ kind: "absent" });
    expect(parseLastEventId(null)).toEqual({ kind: "absent" });
    expect(parseLastEventId("0")).toEqual({ kind: "after", sequence: 0 });
  });
});
