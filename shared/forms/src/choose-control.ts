import type { Json, JsonObject } from "@interlude/kernel";
import type { Control, FieldOption } from "./field.ts";
import { isList, isObject, isScalar, own } from "./schema-parts.ts";

/** Longer text gets more than one line. */
const LONG_TEXT = 120;

const TEXT_CONTROLS: ReadonlyMap<Json | undefined, Control> = new Map<Json | undefined, Control>([
  ["date", "date"],
  ["time", "time"],
  ["date-time", "datetime"],
  ["email", "email"],
  ["uri", "url"],
  ["url", "url"],
  ["textarea", "textarea"],
  ["multiline", "textarea"],
]);

/** The types a property takes but null; none when it does not say. */
export function typesOf(schema: JsonObject): { types: readonly Json[]; nullable: boolean } {
  const type = own(schema, "type");
  const all = isList(type) ? type : type === undefined ? [] : [type];
  return { types: all.filter((name) => name !== "null"), nullable: all.includes("null") };
}

/** What can be chosen, when that is all there is: an enum, a const, or `oneOf` constants with titles. */
export function choicesOf(schema: JsonObject): FieldOption[] | undefined {
  const listed = own(schema, "enum");
  if (isList(listed)) return listed.every(isScalar) ? listed.map(plainOption) : undefined;
  const alternatives = own(schema, "oneOf") ?? own(schema, "anyOf");
  if (isList(alternatives) && alternatives.length > 0) {
    const options = alternatives.map(constantOption);
    if (options.every((option) => option !== undefined)) return options;
  }
  const constant = own(schema, "const");
  return constant === undefined || !isScalar(constant) ? undefined : [plainOption(constant)];
}

function constantOption(schema: Json): FieldOption | undefined {
  const constant = isObject(schema) ? own(schema, "const") : undefined;
  if (!isObject(schema) || constant === undefined || !isScalar(constant)) return undefined;
  const title = own(schema, "title");
  return typeof title === "string" ? { value: constant, label: title } : plainOption(constant);
}

function plainOption(value: Json): FieldOption {
  return { value, label: typeof value === "string" ? value : JSON.stringify(value) };
}

/** The control of a scalar without choices; `json` for what no single control can take. */
export function scalarControl(schema: JsonObject, prefill: Json | undefined): Control {
  const { types } = typesOf(schema);
  const type = types.length === 1 ? types[0] : undefined;
  if (type === "string") return textControl(schema, prefill);
  if (type === "number" || type === "integer") return type;
  return type === "boolean" ? "checkbox" : "json";
}

function textControl(schema: JsonObject, prefill: Json | undefined): Control {
  const shown = typeof prefill === "string" ? prefill : "";
  // A one-line control would drop line breaks that are already there.
  if (/[\r\n]/.test(shown) || shown.length > LONG_TEXT) return "textarea";
  const control = TEXT_CONTROLS.get(own(schema, "format"));
  if (control !== undefined) return control;
  const maxLength = own(schema, "maxLength");
  return typeof maxLength === "number" && maxLength > LONG_TEXT ? "textarea" : "text";
}
