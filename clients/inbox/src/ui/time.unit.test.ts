import { describe, expect, it } from "vitest";
import { formatAgo, formatDue, formatLeft, isUrgent } from "./time.ts";

const NOW = Date.parse("2026-12-02T10:00:00.000Z");
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

describe("times in the list", () => {
  it("says how long ago in one unit", () => {
    expect([0, -5, -125, -2 * 1440].map((minutes) => formatAgo(at(minutes), NOW))).toEqual([
      "now",
      "5m ago",
      "2h ago",
      "2d ago",
    ]);
  });

  it("counts the last minutes by the second", () => {
    expect(formatLeft(65_000)).toBe("in 1:05");
    expect(formatLeft(-5_000)).toBe("in 0:00");
    expect(formatDue(30_000)).toBe("due now");
  });

  it("is urgent in the last quarter of a life, and at most an hour before the end", () => {
    expect(isUrgent(at(-30), at(30), NOW)).toBe(false);
    expect(isUrgent(at(-50), at(10), NOW)).toBe(true);
    expect(isUrgent(at(-10_000), at(61), NOW)).toBe(false);
    expect(isUrgent(at(-50), at(-1), NOW)).toBe(false);
  });
});
