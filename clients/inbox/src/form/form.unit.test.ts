import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../api/json.ts";
import { checkAnswer } from "./check.ts";
import { firstDraft, type Draft } from "./draft.ts";
import type { Field } from "./field.ts";
import { pageOf, pagesOf } from "./pages.ts";
import { pinFaults } from "./pin-faults.ts";
import { readDraft, type Reading } from "./read-draft.ts";
import { reviveDraft } from "./revive-draft.ts";
import { toForm } from "./to-field.ts";

function opened(schema: Json, values?: JsonObject, options: JsonObject = {}): { form: Field; draft: Draft } {
  const form = toForm(schema, options);
  return { form, draft: firstDraft(form, values) };
}

function answer(schema: Json, values?: JsonObject): Reading {
  const { form, draft } = opened(schema, values);
  return readDraft(form, draft, "");
}

/** The form with one of its boxes typed into. */
function typed(schema: Json, index: number, text: string, values?: JsonObject): Reading {
  const { form, draft } = opened(schema, values);
  if (draft.kind !== "group") throw new Error("the form is no group");
  const members = draft.members.map((member, at): Draft => {
    return at === index && member.kind === "text" ? { ...member, text } : member;
  });
  return readDraft(form, { ...draft, members }, "");
}

const plain = (reading: Reading): Json => JSON.parse(JSON.stringify(reading.value ?? null)) as Json;

describe("a form from a schema", () => {
  it("answers an unticked required box with false (A-FORM-1)", () => {
    const schema = { type: "object", properties: { insured: { type: "boolean" } }, required: ["insured"] };
    expect(plain(answer(schema))).toEqual({ insured: false });
    expect(answer(schema).faults).toEqual([]);
  });

  it("keeps 0, false and an empty text that were prefilled (A-FORM-2)", () => {
    const schema = {
      type: "object",
      properties: { count: { type: "integer" }, ok: { type: "boolean" }, note: { type: "string" } },
    };
    const values = { count: 0, ok: false, note: "" };
    expect(plain(answer(schema, values))).toEqual(values);
  });

  it("tells an empty choice from no choice (A-FORM-3)", () => {
    const schema = {
      type: "object",
      properties: { suffix: { type: "string", enum: ["", "Jr", "Sr"] } },
      required: ["suffix"],
    };
    expect(answer(schema).faults).toMatchObject([{ pointer: "/suffix" }]);
    expect(plain(answer(schema, { suffix: "" }))).toEqual({ suffix: "" });
  });

  it("leaves out what is optional and empty (A-FORM-4)", () => {
    const schema = {
      properties: { state: { type: "string", enum: ["TX", "OH"] }, age: { type: "integer" } },
    };
    expect(plain(answer(schema))).toEqual({});
  });

  it("prefills a default, lets the caller's value win, and does not put back what was cleared (A-FORM-5)", () => {
    const schema = {
      type: "object",
      properties: { region: { type: "string", default: "EU" }, n: { type: "integer", default: 3 } },
    };
    expect(plain(answer(schema, { region: "US" }))).toEqual({ region: "US", n: 3 });
    expect(plain(typed(schema, 1, "", { region: "US" }))).toEqual({ region: "US" });
  });

  it("keeps odd property names whole (A-FORM-6)", () => {
    const names = ["a[b]", "a.b", "user name", "naïve", "日本", 'x"y', "a&b=c", "a/b", "~"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const values = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    expect(plain(answer({ type: "object", properties }, values))).toEqual(values);
  });

  it("asks for the tick of an agreement (A-FORM-8)", () => {
    const schema = {
      type: "object",
      properties: { agree: { type: "boolean", const: true } },
      required: ["agree"],
    };
    const { form } = opened(schema);
    expect(checkAnswer(form, schema, { agree: false })).toMatchObject([{ pointer: "/agree" }]);
    expect(checkAnswer(form, schema, { agree: true })).toEqual([]);
  });

  it("refuses a decimal comma with a reason, and never reads it as another number (A-NUM-1)", () => {
    const schema = { type: "object", properties: { price: { type: "number" } } };
    for (const text of ["2,5", "0x10", "+7", "NaN", "1e", "12345678901234567890"]) {
      expect(typed(schema, 0, text)).toMatchObject({ faults: [{ pointer: "/price" }] });
    }
    expect(plain(typed(schema, 0, " -2.5e1 "))).toEqual({ price: -25 });
  });

  it("takes properties named like an object's own methods (A-PROTO-1, A-PROTO-2)", () => {
    const schema = { type: "object", properties: { toString: { type: "string" } }, required: ["toString"] };
    const empty = answer(schema);
    expect(empty.faults).toMatchObject([{ pointer: "/toString" }]);
    const given = answer(schema, { toString: "x" });
    expect(plain(given)).toEqual({ toString: "x" });
    expect(checkAnswer(toForm(schema, {}), schema, given.value ?? null)).toEqual([]);
    const optional = { properties: { constructor: { type: "string" } } };
    expect(plain(answer(optional))).toEqual({});
    expect(checkAnswer(toForm(optional, {}), optional, answer(optional).value ?? null)).toEqual([]);
  });

  it("counts an emoji as one character (A-UNI-1)", () => {
    const schema = { type: "object", properties: { nick: { type: "string", maxLength: 2 } } };
    const { form } = opened(schema);
    expect(checkAnswer(form, schema, { nick: "💩💩" })).toEqual([]);
    expect(checkAnswer(form, schema, { nick: "💩💩💩" })).toMatchObject([{ pointer: "/nick" }]);
  });

  it("never runs a pattern in the browser (A-SCH-3)", () => {
    const schema = { type: "object", properties: { v: { type: "string", pattern: "^(a+)+$" } } };
    const before = performance.now();
    expect(checkAnswer(toForm(schema, {}), schema, { v: `${"a".repeat(40)}!` })).toEqual([]);
    expect(performance.now() - before).toBeLessThan(1_000);
  });

  it("leaves the verdict to the server where a pattern decides between branches", () => {
    const schema = {
      type: "object",
      properties: { v: { not: { type: "string", pattern: "^x" } } },
      maxProperties: 0,
    };
    expect(checkAnswer(toForm(schema, {}), schema, { v: "y" })).toEqual([]);
  });

  it("shows what it cannot model as JSON, with the value in it", () => {
    const schema = { type: "object", properties: { any: {}, map: { type: "object" } } };
    const { form } = opened(schema);
    expect(form.shape.kind === "group" && form.shape.fields.map((field) => field.shape.kind)).toEqual([
      "raw",
      "raw",
    ]);
    expect(plain(answer(schema, { any: [1], map: { a: null } }))).toEqual({ any: [1], map: { a: null } });
    expect(typed(schema, 0, "{").faults).toMatchObject([{ pointer: "/any" }]);
  });

  it("does not follow a schema into itself for ever", () => {
    const schema = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { left: { $ref: "#/$defs/node" }, right: { $ref: "#/$defs/node" } },
        },
        loop: { $ref: "#/$defs/loop" },
      },
    };
    expect(plain(answer(schema))).toEqual({});
    expect(toForm({ $ref: "#/$defs/loop", $defs: schema.$defs }, {}).shape.kind).toBe("raw");
  });

  it("counts an optional group's required fields only once it is added", () => {
    const address = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const schema = { type: "object", properties: { address } };
    expect(answer(schema)).toMatchObject({ faults: [] });
    expect(plain(answer(schema))).toEqual({});
    expect(answer(schema, { address: {} }).faults).toMatchObject([{ pointer: "/address/city" }]);
  });

  it("reads lists of groups, and points at the entry that is wrong", () => {
    const line = { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] };
    const schema = { type: "object", properties: { lines: { type: "array", items: line } } };
    expect(plain(answer(schema, { lines: [{ sku: "a" }, { sku: "b" }] }))).toEqual({
      lines: [{ sku: "a" }, { sku: "b" }],
    });
    expect(answer(schema, { lines: [{ sku: "a" }, {}] }).faults).toMatchObject([{ pointer: "/lines/1/sku" }]);
  });

  it("offers the caller's labelled options", () => {
    const schema = { type: "object", properties: { to: { type: "string" } } };
    const { form, draft } = opened(
      schema,
      { to: "b" },
      { to: [{ value: "a", label: "Ana" }, { value: "b" }] },
    );
    expect(form.shape.kind === "group" && form.shape.fields[0]?.shape).toEqual({
      kind: "choice",
      choices: [
        { value: "a", label: "Ana" },
        { value: "b", label: "b" },
      ],
    });
    expect(plain(readDraft(form, draft, ""))).toEqual({ to: "b" });
  });

  it("revives a kept draft, and drops one that fits another form", () => {
    const { form, draft } = opened({ type: "object", properties: { a: { type: "string" } } }, { a: "kept" });
    const stored = JSON.parse(JSON.stringify(draft)) as Json;
    expect(reviveDraft(form, stored)).toEqual(draft);
    expect(reviveDraft(toForm({ type: "object", properties: { a: { type: "boolean" } } }, {}), stored)).toBe(
      undefined,
    );
  });

  it("pins the server's faults to the nearest field, and finds its page", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "object" }, c: { type: "string" } },
    };
    const form = toForm(schema, {});
    const pages = pagesOf(form, [
      { title: "1", properties: ["a"] },
      { title: "2", properties: ["b", "c"] },
    ]);
    const pinned = pinFaults(form, [{ path: "/answer/b/deep/0", message: "no" }]);
    expect(pinned).toEqual([{ pointer: "/b", message: "no" }]);
    expect(pageOf(pages, "/b")).toBe(1);
    expect(pageOf(pages, "")).toBe(0);
  });
});
