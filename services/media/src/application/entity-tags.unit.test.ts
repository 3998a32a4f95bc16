import { describe, expect, it } from "vitest";
import { allowsRange, isNamedBy } from "./entity-tags.ts";

const ETAG = '"abc"';

describe("If-None-Match", () => {
  it.each(['"abc"', 'W/"abc"', '"x", "abc"', '"x" ,W/"abc"', "*", " * "])("names the tag in %s", (header) => {
    expect(isNamedBy(header, ETAG)).toBe(true);
  });

  it.each([undefined, "", "abc", '"ab"', '"abcd"', '"x\\"abc"', '"x", "y"'])("does not in %j", (header) => {
    expect(isNamedBy(header, ETAG)).toBe(false);
  });
});

describe("If-Range", () => {
  it("lets a range through without it, and under exactly our tag", () => {
    expect(allowsRange(undefined, ETAG)).toBe(true);
    expect(allowsRange('"abc"', ETAG)).toBe(true);
  });

  it.each(['W/"abc"', '"other"', "Wed, 21 Oct 2015 07:28:00 GMT", ""])("does not under %j", (header) => {
    expect(allowsRange(header, ETAG)).toBe(false);
  });
});
