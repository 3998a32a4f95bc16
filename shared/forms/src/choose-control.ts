import { isJsonList, isJsonObject, type Json, type JsonObject, ownValue } from "@interlude/kernel";
import type { Control, FieldOption } from "./field.ts";
import { isScalar } from "./schema-parts.ts";

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
  const type = ownValue(schema, "type");
  const all = isJsonList(type) ? type : type === undefined ? [] : [type];
  return { types: all.filter((name) => name !== "null"), nullable: all.includes("null") };
}

/** What can be chosen, when that is all there is: an enum, a const, or `oneOf` constants with titles. */
export function choicesOf(schema: JsonObject): FieldOption[] | undefined {
  const listed = ownValue(schema, "enum");
  if (isJsonList(listed)) return listed.every(isScalar) ? listed.map(plainOption) : undefined;
  const alternatives = ownValue(schema, "oneOf") ?? ownValue(schema, "anyOf");
  if (isJsonList(alternatives) && alternatives.length > 0) {
    const options = alternatives.map(constantOption);
    if (options.every((option) => option !== undefined)) return options;
  }
  const constant = ownValue(schema, "const");
  return constant === undefined || !isScalar(constant) ? undefined : [plainOption(constant)];
}

function constantOption(schema: Json): FieldOption | undefined {
  const constant = isJsonObject(schema) ? ownValue(schema, "const") : undefined;
  if (!isJsonObject(schema) || constant === undefined || !isScalar(constant)) return undefined;
  const title = ownValue(schema, "title");
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
  const control = TEXT_CONTROLS.get(ownValue(schema, "format"));
  if (control !== undefined) return control;
  const maxLength = ownValue(schema, "maxLength");
  return typeof maxLength === "number" && maxLength > LONG_TEXT ? "textarea" : "text";
}
