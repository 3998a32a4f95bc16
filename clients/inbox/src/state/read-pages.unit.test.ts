import { describe, expect, it } from "vitest";
import { readPages } from "./read-pages.ts";

/** Three pages of two rows. */
const read = (asked: (string | undefined)[]) => (cursor: string | undefined) => {
  asked.push(cursor);
  const first = Number(cursor ?? 0);
  return Promise.resolve({
    items: [first, first + 1],
    nextCursor: first < 4 ? String(first + 2) : null,
    first,
  });
};

describe("pages read anew", () => {
  it("are one when nothing was shown", async () => {
    const asked: (string | undefined)[] = [];
    expect(await readPages(0, read(asked))).toEqual({ items: [0, 1], nextCursor: "2", first: 0 });
    expect(asked).toEqual([undefined]);
  });

  it("hold at least what was shown, and say what the last one says", async () => {
    const asked: (string | undefined)[] = [];
    expect(await readPages(3, read(asked))).toEqual({ items: [0, 1, 2, 3], nextCursor: "4", first: 2 });
    expect(asked).toEqual([undefined, "2"]);
  });

  it("end where the list ends, however much was shown", async () => {
    const asked: (string | undefined)[] = [];
    expect((await readPages(1_000, read(asked))).items).toEqual([0, 1, 2, 3, 4, 5]);
    expect(asked).toEqual([undefined, "2", "4"]);
  });
});
