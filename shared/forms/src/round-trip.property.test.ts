import type { Json } from "@interlude/kernel";
import fc from "fast-check";
import { expect, it } from "vitest";
import { submitUntouched } from "../test/submit-untouched.ts";
import { checkOverlay, checkRenderable, renderFormPage, toFields, typeSubmission } from "./index.ts";

const name = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => !/\p{Cc}/u.test(text)),
  fc.constantFrom("constructor", "toString", "a[b]", "__proto__", 'x"y', "<b>"),
);
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }).filter((value) => !value.includes("\0")),
  fc.constantFrom("", "\n", "\r\n", "a\r\nb", "\n\na", "a\rb", " x ", "</textarea>", "&lt;", '"', "\t"),
);
const property = fc.oneof(
  text.map((value): [Json, Json] => [{ type: "string" }, value]),
  fc
    .uniqueArray(text, { minLength: 1, maxLength: 4 })
    .map((values): [Json, Json] => [{ type: "string", enum: values }, values[0] ?? ""]),
  fc.boolean().map((value): [Json, Json] => [{ type: "boolean" }, value]),
  fc.maxSafeInteger().map((value): [Json, Json] => [{ type: "integer" }, value]),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value): [Json, Json] => [{ type: "number" }, value + 0]),
);

it("a form that nobody touched is answered with its prefill, character for character", () => {
  fc.assert(
    fc.property(fc.dictionary(name, property, { minKeys: 1, maxKeys: 5 }), (drawn) => {
      const entries = Object.entries(drawn);
      const part = (index: 0 | 1) => Object.fromEntries(entries.map(([key, pair]) => [key, pair[index]]));
      const schema = { type: "object", properties: part(0) };
      const data = { values: part(1) };
      fc.pre(checkRenderable(schema).length === 0 && checkOverlay(schema, data).length === 0);
      const page = renderFormPage({ question: "?", model: toFields(schema, { data }), language: "en" });
      expect(typeSubmission({ schema, data }, submitUntouched(page))).toEqual({ ok: true, answer: part(1) });
    }),
    { numRuns: 300 },
  );
});

it("no schema and no submission make it throw", () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const keywords = fc.constantFrom(
    "type",
    "properties",
    "required",
    "enum",
    "items",
    "oneOf",
    "default",
    "$ref",
    "title",
  );
  const schema = fc.oneof(
    json,
    fc.dictionary(keywords, json),
    fc.record({ properties: fc.dictionary(name, fc.dictionary(keywords, json)) }),
  );
  fc.assert(
    fc.property(schema, fc.array(fc.tuple(name, fc.string())), (drawn, entries) => {
      const asked = drawn as Json;
      const model = toFields(asked);
      const result = typeSubmission({ schema: asked }, entries);
      const faults = [...checkRenderable(asked), ...(result.ok ? [] : result.faults)];
      expect(renderFormPage({ question: "?", model, submitted: entries, faults, language: "en" })).toContain(
        "</form>",
      );
    }),
    { numRuns: 500 },
  );
});
