import { describe, expect, it } from "vitest";
import { readRange } from "./byte-range.ts";

const part = (first: number, last: number) => ({ kind: "part", range: { first, last } });
const whole = { kind: "whole" };
const unsatisfiable = { kind: "unsatisfiable" };

describe("a Range header", () => {
  it.each([
    ["bytes=0-0", part(0, 0)],
    ["bytes=0-", part(0, 99)],
    ["bytes=90-999", part(90, 99)],
    ["bytes=-1", part(99, 99)],
    ["bytes=-100", part(0, 99)],
    ["BYTES=1-2", part(1, 2)],
    ["bytes=000-0002", part(0, 2)],
    [`bytes=0-${"9".repeat(40)}`, part(0, 99)],
  ])("%s names a part of 100 bytes", (header, verdict) => {
    expect(readRange(header, 100)).toEqual(verdict);
  });

  it.each(["bytes=100-", "bytes=100-200", "bytes=-0", `bytes=${"9".repeat(400)}-`])(
    "%s lies outside 100 bytes",
    (header) => {
      expect(readRange(header, 100)).toEqual(unsatisfiable);
    },
  );

  it.each([
    undefined,
    "",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=2-1",
    "bytes=0-0,2-2",
    "bytes=1.5-2",
    "lines=0-1",
    "bytes=0x1-2",
    "0-1",
  ])("%j is ignored", (header) => {
    expect(readRange(header, 100)).toEqual(whole);
  });

  it("lies outside of nothing", () => {
    expect(readRange("bytes=0-", 0)).toEqual(unsatisfiable);
    expect(readRange("bytes=-5", 0)).toEqual(unsatisfiable);
  });
});
