import { expect, it } from "vitest";
import { remainingAt } from "./park-run.ts";

const parkedAt = "2031-01-01T00:00:10.000Z";
const ended = new Map([
  ["before", "2031-01-01T00:00:09.999Z"],
  ["at once", "2031-01-01T00:00:10.000Z"],
  ["later", "2031-01-01T00:00:10.001Z"],
]);

it.each([
  [["before", "at once"], 0],
  [["before", "later"], 1],
  [["before", "open", "later", "open"], 2],
])("a park of %j waited for %d when it was parked, however often that is asked for", (ids, remaining) => {
  expect(remainingAt(ids, ended, parkedAt)).toBe(remaining);
});
