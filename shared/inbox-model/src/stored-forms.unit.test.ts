import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyOf } from "./key-of.ts";
import { readCursorText, writeCursor } from "./list-cursor.ts";
import { storableJson, storableText } from "./storable.ts";

describe("the key of a name", () => {
  it("is the name while it is short, and fits an index entry whatever the name", () => {
    expect(keyOf("ann")).toBe("ann");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (name) => {
        expect(Buffer.byteLength(keyOf(name))).toBeLessThanOrEqual(512);
      }),
    );
  });

  it("stands for one name only, also for one that looks like a key", () => {
    const long = "x".repeat(600);
    expect(keyOf(keyOf(long))).not.toBe(keyOf(long));
    expect(keyOf("a\u0000")).not.toBe(keyOf("a"));
  });
});

describe("what Postgres cannot hold", () => {
  it("is replaced in text and JSON, and everything else stays as it is", () => {
    expect(storableText("a\u0000b")).toBe("a\ufffdb");
    expect(JSON.parse(storableJson(JSON.stringify({ a: "\u0000", b: "\ud800x" })))).toEqual({
      a: "\ufffd",
      b: "\ufffdx",
    });
    const kept = { path: "C:\\u0000", pair: "\u{1f600}", text: "\\ud800" };
    expect(JSON.parse(storableJson(JSON.stringify(kept)))).toEqual(kept);
  });
});

describe("a cursor", () => {
  it("reads as what was written, in its own order only", () => {
    const position = { sequence: 12, deadlineMs: 1_900_000_000_000 };
    const text = writeCursor("deadline", position);
    expect(readCursorText("deadline", text)).toEqual(position);
    expect(readCursorText("created_at", text)).toBeUndefined();
  });

  it("is never taken from any other text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (text) => {
        expect(readCursorText("created_at", text)).toBeUndefined();
      }),
    );
  });
});
