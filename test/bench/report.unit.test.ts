import { describe, expect, it } from "vitest";
import type { Row } from "./measurement.ts";
import { formatTable, isMet } from "./report.ts";

const same = (value: number) => ({ median: value, min: value, max: value });

const ROW: Row = {
  name: "ask",
  unit: "ms",
  ours: same(1.234),
  reference: same(0.5),
  ratio: { median: 2.468, min: 2, max: 3 },
  goals: [{ of: "ratio", atMost: 2.5 }],
  load: same(1),
};

describe("the table", () => {
  it("tells what was measured against what, how sure that is, and at which load", () => {
    const [, , line] = formatTable([ROW]).split("\n");
    expect(line?.split(/\s{2,}/)).toEqual([
      "ask",
      "1.23 ms",
      "0.50 ms",
      "2.47×",
      "2.00–3.00×",
      "≤ 2.50× ✓",
      "1.00",
    ]);
  });

  it("says where a goal is missed", () => {
    expect(formatTable([{ ...ROW, ratio: same(2.6) }])).toContain("≤ 2.50× ✗");
  });

  it("puts notes below", () => {
    expect(formatTable([{ ...ROW, note: "one caller" }])).toMatch(/\n {2}ask: one caller$/);
  });
});

describe("a goal", () => {
  it("is met at its bound", () => {
    expect(isMet({ atMost: 3 }, 3)).toBe(true);
    expect(isMet({ atLeast: 3 }, 3)).toBe(true);
  });

  it("is never met by a figure that could not be taken", () => {
    expect(isMet({ atMost: 3 }, NaN)).toBe(false);
    expect(isMet({ atLeast: 3 }, NaN)).toBe(false);
  });
});
