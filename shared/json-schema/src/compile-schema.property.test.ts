import type { Json } from "@interlude/kernel";
import fc from "fast-check";
import { expect, it } from "vitest";
import { KEYWORDS } from "./keyword-shapes.ts";
import { compileSchema } from "./index.ts";

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const names = fc.constantFrom("a", "toString", "constructor", "__proto__", "valueOf", "日本", "a/b~", "");

/** Close enough to a schema that most parts of it are read, far enough that most are wrong somewhere. */
const schemas = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.boolean(),
    fc.dictionary(
      fc.constantFrom(
        ...KEYWORDS["2020-12"].keys(),
        ...KEYWORDS["draft-07"].keys(),
        "$ref",
        "$id",
        "$anchor",
        "x",
      ),
      fc.oneof(
        tie("schema"),
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
        fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
        fc.constantFrom<Json>(
          "string",
          "object",
          "#",
          "#/properties/a",
          "#/$defs/a",
          "^a+$",
          "date",
          1,
          2.5,
          true,
        ),
        fc.uniqueArray(names, { minLength: 1, maxLength: 3 }),
        json,
      ) as fc.Arbitrary<Json>,
      { maxKeys: 4 },
    ),
  ),
})).schema;

it("never throws, whatever the schema and the value", () => {
  fc.assert(
    fc.property(fc.oneof(schemas, json), fc.oneof(json, fc.dictionary(names, json)), (schema, value) => {
      const result = compileSchema(schema);
      const faults = result.ok ? result.schema.validate(value) : result.faults;
      for (const fault of faults) {
        expect(fault.path === "" || fault.path.startsWith("/")).toBe(true);
        expect(fault.message).not.toBe("");
        // What the reader lets through, the compiler takes: its own refusals could not name a property.
        expect(fault.message).not.toBe("the schema is too complex");
      }
      if (!result.ok) expect(faults).not.toEqual([]);
    }),
    { numRuns: 1_500 },
  );
});

it("gives the same verdict however the keys are ordered", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("minLength", "type", "title"), json), (schema) => {
      const reordered = Object.fromEntries(Object.entries(schema).reverse());
      expect(compileSchema(reordered)).toBe(compileSchema(schema));
    }),
    { numRuns: 50 },
  );
});
