import type { Resolution } from "@interlude/contract";
import { describe, expect, it } from "vitest";
import { createPageFill, pageOf, readCursor } from "./resolution-pages.ts";

const resolution = (each: number, chars = 1): Resolution => ({
  interaction_id: `q-${each}`,
  status: "answered",
  answer: "x".repeat(chars),
  at: "2031-01-01T00:00:00.000Z",
});

/** The pages as who follows the cursor gets them. */
function pagesOf(resolutions: readonly Resolution[]): number[] {
  const sizes: number[] = [];
  let cursor: string | null = null;
  do {
    const start = readCursor(cursor, resolutions.length);
    if (!start.ok) throw new Error("our own cursor");
    const fill = createPageFill();
    for (const each of resolutions.slice(start.value)) if (!fill.add(each)) break;
    const page = pageOf(start.value, fill, resolutions.length);
    sizes.push(page.items.length);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return sizes;
}

describe("pages of resolutions", () => {
  it.each<[string, Resolution[], number[]]>([
    ["one", [resolution(0)], [1]],
    ["a hundred on one", Array.from({ length: 100 }, (_, each) => resolution(each)), [100]],
    ["one more than a hundred", Array.from({ length: 101 }, (_, each) => resolution(each)), [100, 1]],
    [
      "ten thousand",
      Array.from({ length: 10_000 }, (_, each) => resolution(each)),
      Array<number>(100).fill(100),
    ],
    [
      "long ones, as many as fit into 256 KiB",
      Array.from({ length: 5 }, (_, each) => resolution(each, 100_000)),
      [2, 2, 1],
    ],
    [
      "one that is longer than a page, alone",
      [resolution(0), resolution(1, 400_000), resolution(2)],
      [1, 1, 1],
    ],
  ])("hold %s", (_, resolutions, sizes) => {
    expect(pagesOf(resolutions)).toEqual(sizes);
  });

  it.each(["", "x", "MA", "MQ==", "LTE", "MTAx", "MS41", "MDE", "MQ\n"])(
    "begin at no cursor %j of anybody's",
    (text) => {
      expect(readCursor(text, 101)).toMatchObject({ ok: false, faults: [{ path: "cursor" }] });
    },
  );

  it("begin at any place in the set but its first, which needs no cursor", () => {
    const cursorOf = (place: number) => Buffer.from(String(place)).toString("base64url");
    expect(readCursor(cursorOf(1), 101)).toEqual({ ok: true, value: 1 });
    expect(readCursor(cursorOf(100), 101)).toEqual({ ok: true, value: 100 });
    expect(readCursor(null, 101)).toEqual({ ok: true, value: 0 });
  });
});
