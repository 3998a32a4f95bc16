import type { FormData, FormPage } from "@interlude/contract";
import type { Json } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { checkOverlay, checkRenderable, effectiveSchema } from "./index.ts";

const schema: Json = {
  type: "object",
  properties: {
    count: { type: "integer" },
    color: { type: "string", enum: ["red"] },
    home: { $ref: "#/$defs/place" },
    constructor: { type: "string" },
  },
  required: ["count", "color"],
  $defs: { place: { type: "string", oneOf: [{ const: "here", title: "Here" }] } },
};

describe("what an ask lays over its form is refused by name", () => {
  it.each<[string, FormData | undefined, FormPage[] | undefined, string, string]>([
    ["unknown value", { values: { nope: 1 } }, undefined, "/data/values/nope", "nope is not"],
    ["inherited name", { values: { toString: "x" } }, undefined, "/data/values/toString", "toString is not"],
    ["wrong value", { values: { count: "x" } }, undefined, "/data/values/count", "count must be an integer"],
    [
      "value not of the enum",
      { values: { color: "blue" } },
      undefined,
      "/data/values/color",
      "color must be one of: red",
    ],
    [
      "value behind a reference",
      { values: { home: "there" } },
      undefined,
      "/data/values/home",
      "home must be",
    ],
    ["unknown options", { options: { nope: [] } }, undefined, "/data/options/nope", "nope is not"],
    [
      "options on a number",
      { options: { count: [{ value: "1" }] } },
      undefined,
      "/data/options/count",
      "count is no string",
    ],
  ])("%s", (_case, data, pages, path, message) => {
    expect(checkOverlay(schema, data, pages)).toEqual([
      { path, message: expect.stringContaining(message) as unknown },
    ]);
  });

  it("pages name each property once", () => {
    const faults = checkOverlay(schema, undefined, [
      { title: "1", properties: ["count", "nope"] },
      { title: "2", properties: ["count", "color", "constructor"] },
    ]);
    expect(faults).toEqual([
      { path: "/pages/0/properties/1", message: "nope is not a property of the form" },
      { path: "/pages/1/properties/0", message: "count is on a page already" },
      { path: "/pages", message: "home is on no page" },
    ]);
  });

  it("values are checked against the ask's own options", () => {
    const data = {
      values: { color: "blue", home: "there" },
      options: { color: [{ value: "blue" }], home: [{ value: "there" }] },
    };
    expect(checkOverlay(schema, data)).toEqual([]);
    expect(effectiveSchema(schema, data)).toMatchObject({
      properties: { color: { enum: ["blue"] }, home: { type: "string", enum: ["there"] } },
    });
  });
});

describe("a form over a channel", () => {
  it.each<[string, Json, string, string]>([
    ["no properties", { type: "object" }, "/schema/properties", "at least one property"],
    ["not an object", { type: "string" }, "/schema", "must be of type object"],
    [
      "A-FORM-7",
      { type: "object", properties: { firstName: "" } },
      "/schema/properties/firstName",
      "firstName must",
    ],
    [
      "array",
      { properties: { tags: { type: "array" } } },
      "/schema/properties/tags/type",
      "tags must be of type",
    ],
    [
      "two types",
      { properties: { t: { type: ["string", "null"] } } },
      "/schema/properties/t/type",
      "t must be of type",
    ],
    ["untyped", { properties: { t: { enum: ["a"] } } }, "/schema/properties/t/type", "t must be of type"],
    [
      "numeric enum",
      { properties: { n: { type: "integer", enum: [1] } } },
      "/schema/properties/n/enum",
      "n may have",
    ],
    [
      "mixed enum",
      { properties: { s: { type: "string", enum: ["a", 1] } } },
      "/schema/properties/s/enum",
      "s must have",
    ],
    ["nameless", { properties: { "": { type: "string" } } }, "/schema/properties/", "is no name"],
    [
      "undeclared",
      { properties: { s: { type: "string" } }, required: ["x"] },
      "/schema/required/0",
      "x is required",
    ],
  ])("%s is refused by name", (_case, asked, path, message) => {
    expect(checkRenderable(asked)).toEqual([{ path, message: expect.stringContaining(message) as unknown }]);
  });

  it("takes the four scalars, whatever else constrains them", () => {
    const properties = {
      s: { type: "string", pattern: "a" },
      b: { type: "boolean", const: true },
      i: { type: "integer" },
      n: { type: "number" },
    };
    expect(checkRenderable({ properties, required: ["s"] })).toEqual([]);
  });
});
