import { type Item, InterludeError } from "@interlude/sdk";
import { describe, expect, it } from "vitest";
import { answerFor } from "./answer-value.ts";

function item(answerFormat: Item["answerFormat"], formatPayload: Item["formatPayload"] = {}): Item {
  return {
    interactionId: "q",
    groupId: "g",
    asker: "bot",
    question: "?",
    answerFormat,
    formatPayload,
    status: "pending",
    mode: "sync",
    createdAt: "2030-01-01T00:00:00.000Z",
    timeoutAt: "2030-01-01T01:00:00.000Z",
    sensitive: false,
    serverVerified: false,
    sequence: 1,
  };
}

const SIZES = item("select", { options: ["s", { value: "m", label: "Médium" }, "L"] });
const FORM = item("form", {
  schema: {
    type: "object",
    properties: {
      name: { type: "string" },
      age: { type: "integer" },
      ok: { type: "boolean" },
      tags: { type: "array" },
    },
  },
});

describe("what is typed", () => {
  it.each([
    ["text stays as it is", item("text"), " yes ", " yes "],
    ["an empty text", item("text"), "", ""],
    ["yes", item("confirm"), " YES ", true],
    ["n", item("confirm"), "n", false],
    ["0", item("confirm"), "0", false],
    ["a value", SIZES, "s", "s"],
    ["a value in another case", SIZES, "l", "L"],
    ["a label, decomposed", SIZES, "me\u0301dium", "m"],
    ["a number", SIZES, "2", "m"],
    ["a number that is a value", item("select", { options: ["2", "1"] }), "1", "1"],
    ["a form as JSON", FORM, '{"name":"Ana"}', { name: "Ana" }],
  ] as const)("answers: %s", (_name, question, text, answer) => {
    expect(answerFor(question, text, [])).toEqual(answer);
  });

  it("types fields by the form's schema", () => {
    expect(answerFor(FORM, undefined, ["name=a=b", "age=-3", "ok=no", 'tags=["x"]'])).toEqual({
      name: "a=b",
      age: -3,
      ok: false,
      tags: ["x"],
    });
  });

  it.each([
    ["a word that is neither", item("confirm"), "perhaps", []],
    ["no such option", SIZES, "xl", []],
    ["a number beyond the options", SIZES, "4", []],
    ["a number where options are numbers", item("select", { options: ["10", "20"] }), "1", []],
    [
      "two options that fit",
      item("select", {
        options: [
          { value: "a", label: "x" },
          { value: "b", label: "X" },
        ],
      }),
      "x",
      [],
    ],
    ["broken JSON", FORM, "{", []],
    ["JSON that is no object", FORM, "[1]", []],
    ["an unknown field", FORM, undefined, ["nme=x"]],
    ["a prototype's name", FORM, undefined, ["toString=x"]],
    ["a hexadecimal number", FORM, undefined, ["age=0x10"]],
    ["a field without a value", FORM, undefined, ["name"]],
    ["fields and JSON", FORM, "{}", ["name=x"]],
    ["fields of a text", item("text"), undefined, ["name=x"]],
    ["nothing", item("text"), undefined, []],
    ["an external question", item("external"), "x", []],
  ] as const)("is refused before anything is sent: %s", (_name, question, text, fields) => {
    expect(() => answerFor(question, text, fields)).toThrow(InterludeError);
  });
});
