import { expect, it } from "vitest";
import { saidAt } from "./said-at.ts";

const NOW_MS = Date.parse("2031-01-01T00:00:00.000Z");

it.each([
  [Date.parse("2030-12-31T23:59:59.500Z"), "2030-12-31T23:59:59.500Z"],
  [undefined, "2031-01-01T00:00:00.000Z"],
  // Seconds of a forged or broken update: years beyond 9999, before the first, and no date at all.
  [253_402_300_800_000, "2031-01-01T00:00:00.000Z"],
  [-62_167_219_200_001, "2031-01-01T00:00:00.000Z"],
  [1e16, "2031-01-01T00:00:00.000Z"],
  [Number.NaN, "2031-01-01T00:00:00.000Z"],
])("what was said at %j was said at %s: a time that is none never holds it up", (atMs, said) => {
  expect(saidAt(atMs, NOW_MS)).toBe(said);
});
