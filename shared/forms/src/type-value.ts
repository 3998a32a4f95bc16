import type { Json } from "@interlude/kernel";
import type { Field } from "./field.ts";
import { parseOptionText, unchosenText, unixLines } from "./option-value.ts";

/** What one field of a submitted form came to. */
export type TypedValue =
  { kind: "given"; value: Json } | { kind: "absent" } | { kind: "fault"; rule: string };

const ABSENT: TypedValue = { kind: "absent" };
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const given = (value: Json): TypedValue => ({ kind: "given", value });
const fault = (rule: string): TypedValue => ({ kind: "fault", rule });

/** The value of what a person sent for a field; `undefined` when the field was not sent at all. */
export function typeValue(field: Field, sent: string | undefined): TypedValue {
  switch (field.control) {
    case "checkbox":
      return typeCheckbox(sent);
    case "select":
      return typeChoice(field, sent);
    case "number":
    case "integer":
      return typeNumber(field, sent);
    case "text":
    case "textarea":
    case "email":
    case "url":
    case "date":
    case "time":
    case "datetime":
      return typeText(field, sent);
    case "multiselect":
    case "group":
    case "list":
    case "json":
      return typeJson(sent);
  }
}

/** A browser sends nothing for a box that is not ticked, so nothing is an answer: no. */
function typeCheckbox(sent: string | undefined): TypedValue {
  if (sent === undefined || sent === "false") return given(false);
  return sent === "true" || sent === "on" ? given(true) : fault("must be ticked or not ticked");
}

function typeChoice(field: Field, sent: string | undefined): TypedValue {
  const options = field.options ?? [];
  if (sent === undefined) return ABSENT;
  const value = parseOptionText(options, sent);
  if (value !== undefined) return given(value);
  if (sent === unchosenText(options)) return ABSENT;
  if (sent === "") return field.prefill === "" ? given("") : ABSENT;
  // Not one of the options: the schema says so, and lists them.
  return given(sent);
}

function typeText(field: Field, sent: string | undefined): TypedValue {
  if (sent === undefined) return ABSENT;
  if (sent === "") return field.prefill === "" ? given("") : emptyValue(field);
  const text = unixLines(sent);
  // Browsers send every line break as CR LF; an untouched prefill keeps those that it came with.
  const isUntouched = typeof field.prefill === "string" && unixLines(field.prefill) === text;
  return given(isUntouched ? (field.prefill ?? text) : text);
}

function emptyValue(field: Field): TypedValue {
  return field.required && field.nullable ? given(null) : ABSENT;
}

function typeNumber(field: Field, sent: string | undefined): TypedValue {
  const text = (sent ?? "").trim();
  if (text === "") return emptyValue(field);
  if (!NUMBER.test(text)) return fault(numberRule(field, text));
  const value = Number(text);
  if (!Number.isFinite(value)) return fault("is too large a number");
  // Rounding in silence would change what the person meant.
  const isWhole = /^-?\d+$/.test(text);
  const isKept = !isWhole || text === String(value) || BigInt(text) === BigInt(value);
  if (!isKept) return fault("has more digits than can be kept");
  return given(Object.is(value, -0) ? 0 : value);
}

function numberRule(field: Field, text: string): string {
  const isComma = /^-?\d*,\d+$/.test(text);
  if (field.control === "integer") {
    return `must be a whole number written in digits, like 3 or -12${isComma ? ", without a comma" : ""}`;
  }
  if (isComma) return "must be written with a point, like 2.5, not with a comma";
  return "must be a number written in digits, like 3, -12 or 2.5";
}

function typeJson(sent: string | undefined): TypedValue {
  if (sent === undefined || sent.trim() === "") return ABSENT;
  try {
    return given(JSON.parse(sent) as Json);
  } catch {
    return fault("must be JSON");
  }
}
