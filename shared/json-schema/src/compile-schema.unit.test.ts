import { type Json, pointer } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { compileSchema, SCHEMA_LIMITS } from "./index.ts";

function faults(schema: Json, value: Json) {
  const result = compileSchema(schema);
  return result.ok ? result.schema.validate(value) : result.faults;
}
const accepts = (schema: Json, value: Json) => faults(schema, value).length === 0;
const fault = (path: string, message: string) => [{ path, message }];

describe("a property named like something every object inherits", () => {
  it("is missing from {} when it is required (A-PROTO-1)", () => {
    const both = { type: "object", required: ["toString", "constructor"] };
    expect(faults(both, {}).map((entry) => entry.message)).toEqual([
      "toString is required",
      "constructor is required",
    ]);
    const typed = { type: "object", properties: { toString: { type: "string" } }, required: ["toString"] };
    expect(faults(typed, {})).toEqual(fault("/toString", "toString is required"));
    expect(accepts(typed, { toString: "x" })).toBe(true);
  });

  it("is absent from {} when it is optional (A-PROTO-2)", () => {
    const schema = { properties: { constructor: { type: "string" } } };
    expect(accepts(schema, {})).toBe(true);
    expect(faults(schema, { constructor: 5 })).toEqual(fault("/constructor", "constructor must be a string"));
  });

  it("is compared as data in enum, const and uniqueItems", () => {
    expect(accepts({ enum: [{ valueOf: 1 }] }, { valueOf: 1 })).toBe(true);
    expect(accepts({ const: { toString: null } }, { toString: 0 })).toBe(false);
    expect(accepts({ uniqueItems: true }, [{ constructor: 1 }, { constructor: 1 }])).toBe(false);
  });

  it("is checked even when it is __proto__", () => {
    const schema = { properties: { ["__proto__"]: { type: "string" } }, additionalProperties: false };
    expect(faults(schema, { ["__proto__"]: 5 })).toHaveLength(1);
    expect(faults(schema, { ["__proto__"]: "a" })).toEqual([]);
  });

  it("means nothing as a format or as an unknown keyword", () => {
    expect(accepts({ format: "constructor", toString: 1, valueOf: {} }, "x")).toBe(true);
  });
});

describe("a schema is refused with the name of what is wrong", () => {
  it.each<[string, Json, string, string]>([
    ["A-FORM-7", { properties: { firstName: "" } }, "/properties/firstName", "firstName must be a schema"],
    ["A-FORM-7", { properties: { firstName: null } }, "/properties/firstName", "firstName must be a schema"],
    ["A-FORM-7", { properties: { firstName: [] } }, "/properties/firstName", "firstName must be a schema"],
    ["A-FORM-7", { allOf: {} }, "/allOf", "allOf of the schema must be a list"],
    ["A-SCH-4", { properties: { code: { pattern: "[" } } }, "/properties/code/pattern", "pattern of code"],
    ["lookahead", { properties: { a: { pattern: "(?=x)" } } }, "/properties/a/pattern", "pattern of a"],
    [
      "pattern property",
      { patternProperties: { "(a)\\1": {} } },
      "/patternProperties/(a)\\1",
      "patternProperties",
    ],
    ["draft 4", { $schema: "http://json-schema.org/draft-04/schema#" }, "/$schema", "$schema must be"],
    ["required: true", { properties: { a: { required: true } } }, "/properties/a/required", "required of a"],
    ["minLength", { properties: { a: { minLength: "3" } } }, "/properties/a/minLength", "minLength of a"],
    ["type", { properties: { a: { type: "str" } } }, "/properties/a/type", "type of a must be one of array"],
    ["enum", { properties: { a: { enum: [] } } }, "/properties/a/enum", "enum of a"],
    ["remote", { $ref: "https://else.example/s" }, "/$ref", "$ref of the schema cannot be used"],
    [
      "dangling",
      { properties: { a: { $ref: "#/$defs/x" } } },
      "/properties/a/$ref",
      "$ref of a cannot be used",
    ],
    ["endless", { $ref: "#" }, "/$ref", "$ref of the schema leads back to itself"],
    ["no schema", "text", "", "the schema must be an object"],
  ])("%s: %j", (_case, schema, path, message) => {
    const result = compileSchema(schema);
    expect(result).toMatchObject({
      ok: false,
      faults: [{ path, message: expect.stringContaining(message) as unknown }],
    });
  });

  it("tells every fault at once", () => {
    const result = compileSchema({ properties: { a: 1, b: { minimum: "x" }, c: { pattern: "[" } } });
    expect(result).toMatchObject({ ok: false, faults: [{}, {}, {}] });
  });

  it("over its limits", () => {
    let deep: Json = {};
    for (let level = 0; level < SCHEMA_LIMITS.maxDepth; level++) deep = { not: deep };
    expect(compileSchema(deep).ok).toBe(false);
    expect(compileSchema({ description: "x".repeat(SCHEMA_LIMITS.maxBytes) }).ok).toBe(false);
    const names = Array.from({ length: SCHEMA_LIMITS.maxProperties + 1 }, (_, at) => [`p${at}`, true]);
    expect(compileSchema({ properties: Object.fromEntries(names) as Json })).toMatchObject({
      faults: [{ message: "the schema has more than 1000 properties" }],
    });
  });
});

describe("asking and answering agree", () => {
  it.each<[string, Json]>([
    [
      "an unknown format and a vendor keyword (A-SCH-1)",
      { properties: { n: { format: "uint", "x-order": 3 } } },
    ],
    ["a typo of a keyword (A-SCH-2)", { type: "object", properties: { age: { type: "integer", min: 1 } } }],
    ["escapes that only older engines took (A-SCH-4)", { properties: { n: { pattern: "\\-[a-z\\_]+" } } }],
    ["a local reference", { properties: { n: { $ref: "#/$defs/a b~1%25" } }, $defs: { "a b/%": true } }],
  ])("%s is accepted and ignored or honoured", (_case, schema) => {
    expect(compileSchema(schema).ok).toBe(true);
    expect(accepts(schema, { n: "-a_", age: 0 })).toBe(true);
  });

  it("follows $id, $anchor and draft-07's ids inside the schema only", () => {
    const inner = {
      $id: "https://a.example/s",
      properties: { x: { $id: "d", $anchor: "k", type: "string" }, y: { $ref: "d#k" } },
    };
    expect(faults(inner, { y: 5 })).toEqual(fault("/y", "y must be a string"));
    const old = {
      $schema: "http://json-schema.org/draft-07/schema#",
      items: [{ $id: "#n", type: "null" }],
      additionalItems: { $ref: "#n" },
    };
    expect(faults(old, [null, 1])).toEqual(fault("/1", "1 must be null"));
  });

  it("two schemas with one $id are two schemas", () => {
    const schema = (type: string): Json => ({ $id: "https://same.example/s", type });
    expect(accepts(schema("string"), "x")).toBe(true);
    expect(accepts(schema("integer"), "x")).toBe(false);
    expect(accepts(schema("string"), 1)).toBe(false);
  });
});

describe("a value is never coerced", () => {
  const qty = { type: "object", properties: { qty: { type: "integer" } }, required: ["qty"] };
  it.each<Json>([{ qty: " " }, { qty: null }, { qty: "" }, { qty: false }, {}])(
    "%j is refused (A-NUM-2)",
    (value) => {
      expect(accepts(qty, value)).toBe(false);
    },
  );
  it.each<Json>([{ n: false }, { b: 1 }, { b: "true" }, { s: null }, { s: 5 }])(
    "%j is refused (A-NUM-3)",
    (value) => {
      const properties = { n: { type: "number" }, b: { type: "boolean" }, s: { type: "string" } };
      expect(accepts({ properties }, value)).toBe(false);
    },
  );
  it("3.0 is an integer, and a default is never added", () => {
    const value = { qty: 3.0 };
    expect(accepts({ ...qty, properties: { ...qty.properties, other: { default: 1 } } }, value)).toBe(true);
    expect(value).toEqual({ qty: 3 });
  });
  it("lengths count code points (A-UNI-1)", () => {
    const schema = { properties: { nick: { type: "string", maxLength: 2 } } };
    expect(accepts(schema, { nick: "💩💩" })).toBe(true);
    expect(faults(schema, { nick: "💩💩💩" })).toEqual(fault("/nick", "nick must have at most 2 characters"));
  });
});

describe("a fault is told to people", () => {
  it.each<[Json, Json, string, string]>([
    [{ properties: { size: { enum: ["S", "M"] } } }, { size: "L" }, "/size", "size must be one of: S, M"],
    [{ properties: { agree: { const: true } } }, { agree: false }, "/agree", "agree must be true"],
    [{ additionalProperties: false }, { "a/b": 1 }, "/a~1b", "a/b is not a known property"],
    [{ properties: { a: { minimum: 3 } } }, { a: 2 }, "/a", "a must be at least 3"],
    [{ properties: { a: { multipleOf: 0.01 } } }, { a: 19.991 }, "/a", "a must be a multiple of 0.01"],
    [
      { properties: { l: { items: { type: "integer" } } } },
      { l: [1, "x"] },
      "/l/1",
      "l.1 must be an integer",
    ],
    [
      { properties: { d: { format: "date" } } },
      { d: "2026-02-30" },
      "/d",
      "d must be a date like 2026-03-31",
    ],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, "/b", "b is required when a is given"],
    [{ oneOf: [{ const: "a", title: "A" }, { const: "b" }] }, "c", "", "the value must be one of: a, b"],
    [{ anyOf: [{ const: 1 }, { const: [2] }] }, 2, "", "the value must be one of: 1, [2]"],
    // One that stands twice is never exactly one.
    [{ oneOf: [{ const: 1.0 }, { const: 1 }] }, 1, "", "the value must be one of: 1, 1"],
    [
      { anyOf: [{ type: "string" }, { $ref: "#/$defs/q" }], $defs: { q: { type: "null" } } },
      5,
      "",
      "the value must match one of the allowed forms",
    ],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, "/ab", "ab must have at most 1 character"],
    [{ properties: { a: false } }, { a: 1 }, "/a", "a is not allowed"],
    [{ if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1 }, "/b", "b is required"],
  ])("%j of %j", (schema, value, path, message) => {
    expect(faults(schema, value)).toEqual(fault(path, message));
  });

  it("points at the missing property, whatever its name", () => {
    expect(faults({ required: ["a/b~"] }, {})).toEqual(fault(pointer("", "a/b~"), "a/b~ is required"));
  });

  it("accepts 19.99 as a multiple of 0.01", () => {
    expect(accepts({ multipleOf: 0.01 }, 19.99)).toBe(true);
  });
});
