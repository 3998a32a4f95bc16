import { expect, it } from "vitest";
import { historyFilter, isInteractionId } from "./subjects.ts";

it.each(["*", ">", "a.b", "a b", "", "a\r\n", "ü", "a".repeat(65), "%ff"])(
  "%j is no id, and never becomes part of a subject (A-SUB-2)",
  (text) => {
    expect(isInteractionId(text)).toBe(false);
    expect(() => historyFilter(text)).toThrow();
  },
);

it("an id's whole history is one filter", () => {
  expect(historyFilter("019f_-Az")).toBe("interactions.*.*.*.019f_-Az");
});
