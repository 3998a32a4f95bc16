import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeFields } from "@interlude/forms";
import { fieldsToObject } from "./callback-fields.ts";

const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"));
const name = text.filter((value) => value !== "__proto__");

it("what a browser encodes comes back, in order", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, text)), (fields) => {
      // A pair of nothing and nothing is written "=", which is a field all the same.
      expect(decodeFields(new URLSearchParams(fields).toString())).toEqual({ ok: true, value: fields });
    }),
  );
});

it("every value of a name is kept, as a text or as a list", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b", "constructor", ""), text)), (fields) => {
      const object = fieldsToObject(fields);
      for (const each of new Set(fields.map(([key]) => key))) {
        const values = fields.filter(([key]) => key === each).map(([, value]) => value);
        expect(object[each]).toEqual(values.length === 1 ? values[0] : values);
      }
      expect(Object.keys(object)).toHaveLength(new Set(fields.map(([key]) => key)).size);
    }),
  );
});

it("whatever else is sent is decoded or refused, never thrown at", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom("%", "&", "=", "+", "%C3", "%00", "é")),
      (a, b) => {
        const decoded = decodeFields(a + b.join(""));
        if (!decoded.ok) expect(decoded.faults.length).toBeGreaterThan(0);
      },
    ),
  );
});
