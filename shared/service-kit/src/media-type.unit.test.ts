import { expect, it } from "vitest";
import { isIdentity, isPlainJson, mediaTypeOf } from "./media-type.ts";

it.each([
  ["application/json", "application/json"],
  ["Application/JSON ; Charset=UTF-8", "application/json"],
  ['application/json;charset="utf-8"', "application/json"],
  ["application/json; profile=x; charset=utf8", "application/json"],
  ["application/json; charset=latin1", ""],
  ["application/json; charset=utf-16", ""],
  ["", ""],
  [undefined, ""],
])("the type that %j names is %j", (header, type) => {
  expect(mediaTypeOf(header)).toBe(type);
});

it.each([
  [undefined, true],
  ["", true],
  [" Identity ", true],
  ["gzip", false],
  ["identity, gzip", false],
])("the encoding %j leaves the bytes as they are: %j", (header, plain) => {
  expect(isIdentity(header)).toBe(plain);
  expect(isPlainJson("application/json", header)).toBe(plain);
});

it("what is like JSON is not taken for it", () => {
  expect(isPlainJson("application/vnd.api+json", undefined)).toBe(false);
});
