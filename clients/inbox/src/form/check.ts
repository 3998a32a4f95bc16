import { Validator, type OutputUnit, type SchemaDraft } from "@cfworker/json-schema";
import { isJsonObject, own, ownText, type Json, type JsonObject } from "../api/json.ts";
import { messages } from "../messages.ts";
import type { Field } from "./field.ts";
import type { Fault } from "./read-draft.ts";
import { weaken } from "./weaken.ts";

const { rules } = messages.form;

const COUNTED = [
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
] as const;

/** These only say that something below them, which is listed too, is wrong; a missing property we say ourselves. */
const CARRIERS = new Set([
  "properties",
  "items",
  "prefixItems",
  "allOf",
  "$ref",
  "required",
  "if",
  "then",
  "else",
]);

function draftOf(schema: JsonObject): SchemaDraft {
  return ownText(schema, "$schema")?.includes("draft-07") === true ? "7" : "2020-12";
}

/** The field that stands at a pointer; undefined between fields and inside JSON boxes. */
export function fieldAt(form: Field, tokens: readonly string[]): Field | undefined {
  const [token, ...rest] = tokens;
  if (token === undefined) return form;
  if (form.shape.kind === "list") return fieldAt(form.shape.entry, rest);
  if (form.shape.kind !== "group") return undefined;
  const member = form.shape.fields.find((field) => field.name === token);
  return member === undefined ? undefined : fieldAt(member, rest);
}

export function tokensOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function explain(unit: OutputUnit, field: Field | undefined): string {
  const { keyword } = unit;
  const counted = COUNTED.find((entry) => entry === keyword);
  const limit = field === undefined || counted === undefined ? undefined : own(field.schema, counted);
  if (counted !== undefined && typeof limit === "number") return rules[counted](limit);
  if (keyword === "uniqueItems") return rules.unique;
  if (field?.shape.kind === "flag") return rules.agree;
  return field?.shape.kind === "raw" || field === undefined ? unit.error : rules.other;
}

function unitsOf(schema: JsonObject, value: Json): OutputUnit[] {
  const weakened = weaken(schema);
  if (!isJsonObject(weakened)) return [];
  try {
    return new Validator(weakened, draftOf(schema), false).validate(value).errors;
  } catch {
    return []; // What this checker cannot read, the server can.
  }
}

/** A first look, to spare a round trip; the server's verdict is the one that counts. One fault a field. */
export function checkAnswer(form: Field, schema: Json, value: Json): Fault[] {
  const faults = new Map<string, Fault>();
  const units = isJsonObject(schema) ? unitsOf(schema, value) : [];
  for (const unit of units) {
    if (CARRIERS.has(unit.keyword)) continue;
    const pointer = unit.instanceLocation.replace(/^#/, "");
    if (faults.has(pointer)) continue;
    faults.set(pointer, { pointer, message: explain(unit, fieldAt(form, tokensOf(pointer))) });
  }
  return [...faults.values()];
}
