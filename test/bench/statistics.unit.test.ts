import { describe, expect, it } from "vitest";
import { median, quantile, ratiosOf, spreadOf } from "./statistics.ts";

describe("quantile", () => {
  it("is the smallest value at 0 and the largest at 1, in any order of values", () => {
    expect(quantile([3, 1, 2], 0)).toBe(1);
    expect(quantile([3, 1, 2], 1)).toBe(3);
  });

  it("lies between neighbours where no value stands", () => {
    expect(quantile([10, 20], 0.25)).toBe(12.5);
    expect(quantile([0, 10, 20, 30, 40], 0.99)).toBeCloseTo(39.6);
  });

  it("sorts by number, not by text", () => {
    expect(quantile([10, 9, 100], 1)).toBe(100);
  });

  it("is that value of a single one, and not a number of none", () => {
    expect(quantile([7], 0.99)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it("leaves the values as they were", () => {
    const values = [2, 1];
    quantile(values, 0.5);
    expect(values).toEqual([2, 1]);
  });
});

describe("median and spread", () => {
  it("are not moved by one wild value", () => {
    expect(median([1, 2, 3, 4, 1_000])).toBe(3);
    expect(spreadOf([1, 2, 3, 4, 1_000])).toEqual({ median: 3, min: 1, max: 1_000 });
  });

  it("take the middle of two", () => {
    expect(median([1, 2])).toBe(1.5);
  });
});

describe("ratios", () => {
  it("compare what was measured together, pair by pair", () => {
    expect(ratiosOf([2, 30], [1, 10])).toEqual([2, 3]);
  });

  it("leave out what has no partner, or a partner of nothing", () => {
    expect(ratiosOf([2, 3, 4], [1, 0])).toEqual([2]);
  });
});
