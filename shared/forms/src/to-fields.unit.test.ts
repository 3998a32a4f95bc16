import type { Json } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { fieldsOf, toFields } from "./index.ts";

const one = (schema: Json, rest: Record<string, Json> = {}) =>
  fieldsOf(toFields({ type: "object", properties: { p: schema }, ...rest }))[0];

describe("the model of a form", () => {
  it.each<[Json, string]>([
    [{ type: "string" }, "text"],
    [{ type: "string", format: "date" }, "date"],
    [{ type: "string", format: "date-time" }, "datetime"],
    [{ type: "string", format: "email" }, "email"],
    [{ type: "string", format: "uri" }, "url"],
    [{ type: "string", maxLength: 2000 }, "textarea"],
    [{ type: "string", default: "two\nlines" }, "textarea"],
    [{ type: ["integer", "null"] }, "integer"],
    [{ type: "boolean", const: true }, "checkbox"],
    [{ type: "string", enum: ["a", ""] }, "select"],
    [{ oneOf: [{ const: 1, title: "One" }, { const: null }] }, "select"],
    [{ $ref: "#/$defs/d" }, "number"],
    [{ type: "object", properties: { q: { type: "string" } } }, "group"],
    [{ type: "array", items: { type: "string" } }, "list"],
    [{ type: "array", uniqueItems: true, items: { enum: ["a"] } }, "multiselect"],
    [{ type: "object" }, "json"],
    [{ type: ["string", "integer"] }, "json"],
    [{ $ref: "#/nowhere" }, "json"],
    [{}, "json"],
    [true, "json"],
  ])("%j is asked for by %s", (schema, control) => {
    expect(one(schema, { $defs: { d: { type: "number" } } })?.control).toBe(control);
  });

  it("shows titles of options, and the property's own title and description", () => {
    expect(
      one({ title: "Pick", description: "One of them", oneOf: [{ const: 1, title: "One" }, { const: 2 }] }),
    ).toMatchObject({
      label: "Pick",
      description: "One of them",
      options: [
        { value: 1, label: "One" },
        { value: 2, label: "2" },
      ],
    });
  });

  it("points into the answer, however deep", () => {
    const inner = one({ type: "object", properties: { "a/b": { type: "string" } }, required: ["a/b"] });
    expect(inner?.fields?.[0]).toMatchObject({ pointer: "/p/a~1b", required: true, name: "a/b" });
  });

  it("ends where a schema contains itself", () => {
    const model = toFields({ type: "object", properties: { next: { $ref: "#" }, name: { type: "string" } } });
    expect(JSON.stringify(model)).toContain('"control":"json"');
  });

  it.each<Json>([true, {}, { type: "string" }, { type: "object" }, { $ref: "#" }, { properties: { a: "" } }])(
    "%j has a model too",
    (schema) => {
      expect(fieldsOf(toFields(schema))).toHaveLength(1);
    },
  );
});
