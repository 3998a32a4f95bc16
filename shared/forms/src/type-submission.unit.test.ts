import type { Json } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { submitUntouched } from "../test/submit-untouched.ts";
import { renderFormPage, toFields, typeSubmission, type Form, type FormEntries } from "./index.ts";

function form(properties: Record<string, Json>, required: string[] = [], rest: Partial<Form> = {}): Form {
  return { schema: { type: "object", properties, required }, ...rest };
}
const page = (asked: Form): string =>
  renderFormPage({ question: "?", model: toFields(asked.schema, asked), language: "en" });
const answer = (asked: Form, ...entries: FormEntries) => {
  const submission = typeSubmission(asked, entries);
  return submission.ok ? submission.answer : submission.faults;
};
const fault = (path: string, message: string) => [
  { path, message: expect.stringContaining(message) as unknown },
];
const text = { type: "string" };

describe("a submitted form", () => {
  it("an unticked box is false, and the box is never required (A-FORM-1)", () => {
    const asked = form({ insured: { type: "boolean" } }, ["insured"]);
    expect(answer(asked)).toEqual({ insured: false });
    expect(answer(asked, ["insured", "true"])).toEqual({ insured: true });
    expect(page(asked)).toMatch(/<input type="checkbox" id="f0" name="insured" value="true">/);
  });

  it("0, false and '' are prefills like any other (A-FORM-2)", () => {
    const asked = form({ count: { type: "integer" }, ok: { type: "boolean" }, note: text }, [], {
      data: { values: { count: 0, ok: false, note: "" } },
    });
    expect(page(asked)).toContain('value="0"');
    expect(answer(asked, ...submitUntouched(page(asked)))).toEqual({ count: 0, ok: false, note: "" });
  });

  it("the empty string can be chosen, and is not the same as no choice (A-FORM-3)", () => {
    const asked = form({ suffix: { ...text, enum: ["", "Jr", "Sr"] } }, ["suffix"]);
    expect(answer(asked, ["suffix", ""])).toEqual({ suffix: "" });
    expect(answer(asked, ...submitUntouched(page(asked)))).toEqual(fault("/suffix", "suffix is required"));
    expect(answer(asked, ["suffix", "Jr"])).toEqual({ suffix: "Jr" });
  });

  it("an empty optional field is absent (A-FORM-4)", () => {
    const schema = {
      properties: { state: { ...text, enum: ["TX", "OH"] }, age: { type: "integer" } },
      required: [],
    };
    expect(answer({ schema }, ["state", ""], ["age", ""])).toEqual({});
  });

  it("a default prefills, the ask's value wins, and what was cleared stays cleared (A-FORM-5)", () => {
    const properties = { region: { ...text, default: "EU" }, n: { type: "integer", default: 3 } };
    const asked = form(properties, [], { data: { values: { region: "US" } } });
    expect(submitUntouched(page(asked))).toEqual([
      ["region", "US"],
      ["n", "3"],
    ]);
    expect(answer(asked, ["region", "US"], ["n", ""])).toEqual({ region: "US" });
    const required = form(properties, ["n"]);
    expect(answer(required, ["region", "US"], ["n", ""])).toEqual(fault("/n", "n is required"));
  });

  it("names are flat and exact (A-FORM-6)", () => {
    const names = ["a[b]", "a.b", "user name", "naïve", "日本", 'x"y', "a&b=c"];
    const asked = form(Object.fromEntries(names.map((name) => [name, text])));
    const sent = submitUntouched(page(asked)).map(([name], index): [string, string] => [name, `v${index}`]);
    expect(answer(asked, ...sent)).toEqual(
      Object.fromEntries(names.map((name, index) => [name, `v${index}`])),
    );
  });

  it("a box that must be ticked is (A-FORM-8)", () => {
    const asked = form({ agree: { type: "boolean", const: true } }, ["agree"]);
    expect(answer(asked)).toEqual(fault("/agree", "agree must be true"));
    expect(answer(asked, ["agree", "true"])).toEqual({ agree: true });
  });

  it("all its pages stand on one and are sent together (A-FORM-9)", () => {
    const pages = [
      { title: "One", properties: ["a"] },
      { title: "Two", properties: ["b"] },
    ];
    const asked = form({ a: text, b: text }, ["a", "b"], { pages });
    expect(page(asked).match(/<legend>/g)).toHaveLength(2);
    expect(page(asked)).toContain("novalidate");
    expect(answer(asked, ["a", "1"], ["b", ""])).toEqual(fault("/b", "b is required"));
    expect(answer(asked, ["a", "1"], ["b", "2"])).toEqual({ a: "1", b: "2" });
  });

  it("properties named like inherited ones are properties (A-PROTO-2)", () => {
    const asked = form({ constructor: text, toString: text, ["__proto__"]: text });
    expect(answer(asked)).toEqual({});
    expect(answer(asked, ["constructor", "Acme"])).toEqual({ constructor: "Acme" });
    const odd = answer(asked, ["__proto__", "x"], ["toString", "y"]);
    expect(JSON.stringify(odd)).toBe('{"toString":"y","__proto__":"x"}');
  });

  it("a field sent twice or unknown is a fault", () => {
    const asked = form({ a: text });
    expect(answer(asked, ["a", "1"], ["a", "2"])).toEqual(fault("/a", "a was sent more than once"));
    expect(answer(asked, ["a[b]", "1"])).toEqual(fault("/a[b]", "a[b] is not a field of this form"));
  });

  it("lengths are code points, and no maxlength blocks them (A-UNI-1)", () => {
    const asked = form({ nick: { ...text, maxLength: 2 } });
    expect(answer(asked, ["nick", "💩💩"])).toEqual({ nick: "💩💩" });
    expect(answer(asked, ["nick", "💩💩💩"])).toEqual(fault("/nick", "at most 2 characters"));
    expect(page(asked)).not.toContain("maxlength");
  });

  it("a date is a date, and a time needs its offset", () => {
    const asked = form({ d: { ...text, format: "date" }, t: { ...text, format: "date-time" } });
    expect(answer(asked, ["d", "2026-03-01"], ["t", "2026-03-01T10:00:00+02:00"])).toEqual({
      d: "2026-03-01",
      t: "2026-03-01T10:00:00+02:00",
    });
    expect(answer(asked, ["t", "2026-03-01T10:00:00"])).toEqual(fault("/t", "with an offset"));
  });

  it("the ask's options stand in for the enum", () => {
    const asked = form({ c: { ...text, enum: ["x"] } }, ["c"], {
      data: { options: { c: [{ value: "y", label: "Why" }] } },
    });
    expect(page(asked)).toContain('<option value="y">Why</option>');
    expect(answer(asked, ["c", "y"])).toEqual({ c: "y" });
    expect(answer(asked, ["c", "x"])).toEqual(fault("/c", "c must be one of: y"));
  });
});

describe("a typed number", () => {
  const asked = form({ n: { type: "number" }, i: { type: "integer" } });
  it.each<[string, number]>([
    ["2.5", 2.5],
    [" -7 ", -7],
    ["1e3", 1000],
    ["1E-2", 0.01],
    ["-0", 0],
    ["007", 7],
    ["3.0", 3],
  ])("%j is %d", (sent, value) => {
    expect(answer(asked, ["n", sent])).toEqual({ n: value });
  });
  it.each([
    ["2,5", "with a point"],
    ["0x10", "written in digits"],
    ["+7", "written in digits"],
    ["NaN", "written in digits"],
    ["Infinity", "written in digits"],
    ["1e999", "too large"],
    ["12345678901234567890", "more digits than can be kept"],
    [".5", "written in digits"],
    ["5.", "written in digits"],
    ["1 000", "written in digits"],
    ["٣", "written in digits"],
  ])("%j is refused: %s (A-NUM-1)", (sent, message) => {
    expect(answer(asked, ["n", sent])).toEqual(fault("/n", message));
  });
  it("3.0 is an integer and 2.5 is none", () => {
    expect(answer(asked, ["i", "3.0"])).toEqual({ i: 3 });
    expect(answer(asked, ["i", "2.5"])).toEqual(fault("/i", "i must be an integer"));
  });
});
