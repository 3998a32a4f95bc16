import { hasVisible } from "@interlude/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitText } from "./split-text.ts";

const family = "👨‍👩‍👧‍👦";
const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    " ",
    "\n",
    "\n\n",
    family,
    "🇩🇪",
    "e\u0301",
    "\u200b",
    "   ",
    "שלום ",
    "word ",
    "\r\n",
    " \u0301",
  ),
);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
const graphemes = (of: string) => [...new Intl.Segmenter("en").segment(of)].map(({ segment }) => segment);

describe("splitting a text", () => {
  it("keeps every limit, every visible character, and their order", () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 60, max: 200 }),
        fc.integer({ min: 60, max: 200 }),
        (whole, a, b) => {
          const [limit, last] = [Math.max(a, b), Math.min(a, b)];
          const parts = splitText(whole, limit, last);
          for (const part of parts) {
            expect(part.length).toBeLessThanOrEqual(limit);
            expect(part.isWellFormed()).toBe(true);
            expect(hasVisible(part)).toBe(true);
          }
          expect(parts.at(-1)?.length ?? 0).toBeLessThanOrEqual(last);
          const visible = (of: string) => graphemes(of).filter(hasVisible);
          expect(parts.flatMap(visible)).toEqual(visible(whole));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("leaves a text that fits as it is", () => {
    expect(splitText(" a\n", 3)).toEqual([" a\n"]);
    expect(splitText("\u200b", 3)).toEqual([]);
  });

  it("cuts behind a line, else behind a word, else between characters", () => {
    expect(splitText("aaaa bbbb\ncc dd", 12)).toEqual(["aaaa bbbb\n", "cc dd"]);
    expect(splitText("aaaa bbbb cccc", 12)).toEqual(["aaaa bbbb ", "cccc"]);
    expect(splitText(family.repeat(3), 25)).toEqual([family.repeat(2), family]);
  });

  it("keeps an address whole where a part can hold it", () => {
    const url = `https://files.example/${"x".repeat(70)}`;
    expect(splitText(`See ${url} now`, 98)).toEqual([`See ${url} `, "now"]);
    expect(splitText(`Read this first: ${url}`, 100)).toEqual(["Read this first: ", url]);
  });

  it("cuts a character longer than a part between its code points", () => {
    const parts = splitText(`a${"\u{1E8D0}".repeat(40)}`, 8);
    expect(parts.join("")).toBe(`a${"\u{1E8D0}".repeat(40)}`);
    expect(parts.every((part) => part.length <= 8 && part.isWellFormed())).toBe(true);
  });

  it("makes the last part as short as what goes with it needs", () => {
    const parts = splitText("word ".repeat(1_000), 4096, 1024);
    expect(parts.at(-1)?.length).toBeLessThanOrEqual(1024);
    expect(parts.join("")).toBe("word ".repeat(1_000));
  });

  it("leaves no lone word to what goes with the last part", () => {
    const long = splitText("word ".repeat(1_000), 4096, 1024);
    expect(long.at(-1)?.length).toBeGreaterThanOrEqual(512);
    expect(splitText(`${"w".repeat(8_191)}?`, 4096, 1024).map(({ length }) => length)).toEqual([
      4096, 3584, 512,
    ]);
  });
});
