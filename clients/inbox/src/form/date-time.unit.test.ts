import { describe, expect, it } from "vitest";
import { toLocal, toOffset } from "./date-time.ts";

describe("a moment in a form", () => {
  it("is the same moment after a look at the control", () => {
    for (const text of ["2026-12-02T09:30:00Z", "2026-07-01T23:59:30+05:30", "0001-02-03T04:05:00Z"]) {
      const local = toLocal(text);
      expect(local).toBeDefined();
      expect(Date.parse(toOffset(local ?? ""))).toBe(Date.parse(text));
    }
  });

  it("always says its offset", () => {
    expect(toOffset("2026-12-02T09:30")).toMatch(/^2026-12-02T09:30:00(Z|[+-]\d\d:\d\d)$/);
  });

  it("is left to the person where the control could not show it", () => {
    expect(toLocal("next Tuesday, or so")).toBeUndefined();
    expect(toLocal("")).toBe("");
  });
});
