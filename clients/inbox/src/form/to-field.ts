import { isJsonArray, isJsonObject, own, ownText, type Json, type JsonObject } from "../api/json.ts";
import type { Choice, Field, Shape, TextInput } from "./field.ts";
import { flatten, type Flat } from "./flatten.ts";

type Context = { root: Json; depth: number; budget: { left: number } };

/** A schema may refer to itself: below this the rest is edited as JSON. */
const MAX_DEPTH = 8;
const MAX_FIELDS = 2_000;
const LONG_TEXT = 200;

const FORMATS: Readonly<Record<string, TextInput>> = {
  date: "date",
  "date-time": "date-time",
  email: "email",
  uri: "url",
  time: "time",
  textarea: "area",
};

/** Keywords that may bring in fields which `properties` does not name. */
const OPEN_ENDED = ["patternProperties", "if", "then", "else", "oneOf", "anyOf", "dependentSchemas"];

const array = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : []);
const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

function labelOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function constants(branches: readonly Json[]): Choice[] | undefined {
  const choices = branches.flatMap((branch): Choice[] => {
    if (!isJsonObject(branch)) return [];
    const only = array(own(branch, "enum"));
    const value = own(branch, "const") ?? (only.length === 1 ? only[0] : undefined);
    return value === undefined ? [] : [{ value, label: ownText(branch, "title") ?? labelOf(value) }];
  });
  return choices.length > 0 && choices.length === branches.length ? choices : undefined;
}

function choicesOf(schema: JsonObject): Choice[] | undefined {
  const listed = own(schema, "enum");
  if (isJsonArray(listed)) return listed.map((value) => ({ value, label: labelOf(value) }));
  const only = own(schema, "const");
  if (only !== undefined && only !== true) return [{ value: only, label: labelOf(only) }];
  return constants(array(own(schema, "oneOf"))) ?? constants(array(own(schema, "anyOf")));
}

/** The caller's labelled options for a property, given beside the schema. */
function overlayChoices(options: Json | undefined): Choice[] | undefined {
  if (!isJsonArray(options) || options.length === 0) return undefined;
  return options.flatMap((option): Choice[] => {
    if (!isJsonObject(option)) return [{ value: option, label: labelOf(option) }];
    const value = own(option, "value");
    return value === undefined ? [] : [{ value, label: ownText(option, "label") ?? labelOf(value) }];
  });
}

function textInput(schema: JsonObject): TextInput {
  const format = ownText(schema, "format") ?? "";
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (known !== undefined) return known;
  const max = own(schema, "maxLength");
  return typeof max === "number" && max > LONG_TEXT ? "area" : "line";
}

/** Only an object whose every possible property is named can be shown field by field. */
function isClosedGroup(schema: JsonObject, properties: JsonObject): boolean {
  const names = new Set(Object.keys(properties));
  const mentioned = OPEN_ENDED.flatMap((keyword) => {
    const value = own(schema, keyword);
    if (keyword === "patternProperties") return Object.keys(object(value)).length > 0 ? [""] : [];
    const parts =
      keyword === "dependentSchemas" ? Object.values(object(value)) : isJsonArray(value) ? value : [value];
    return parts.flatMap((part) => (isJsonObject(part) ? Object.keys(object(own(part, "properties"))) : []));
  });
  return names.size > 0 && mentioned.every((name) => names.has(name));
}

function groupShape(schema: JsonObject, context: Context): Shape {
  const properties = object(own(schema, "properties"));
  if (!isClosedGroup(schema, properties)) return { kind: "raw" };
  const required = array(own(schema, "required"));
  const fields = Object.entries(properties).map(([name, part]) =>
    toField(name, part, required.includes(name), context),
  );
  return { kind: "group", fields };
}

function listShape(schema: JsonObject, context: Context): Shape {
  const items = own(schema, "items");
  if (!isJsonObject(items) || own(schema, "prefixItems") !== undefined) return { kind: "raw" };
  const entry = toField("", items, true, context);
  if (entry.shape.kind === "choice" && own(schema, "uniqueItems") === true)
    return { kind: "choices", choices: entry.shape.choices };
  return { kind: "list", entry };
}

function shapeOf({ schema, types }: Flat, context: Context): Shape {
  if (types.length === 1 && types[0] === "boolean" && own(schema, "enum") === undefined)
    return { kind: "flag" };
  const choices = choicesOf(schema);
  if (choices !== undefined) return { kind: "choice", choices };
  return typeShape(types.length === 1 ? (types[0] ?? "") : "", schema, context);
}

function typeShape(type: string, schema: JsonObject, context: Context): Shape {
  switch (type) {
    case "string":
      return { kind: "text", input: textInput(schema) };
    case "number":
      return { kind: "number", integer: false };
    case "integer":
      return { kind: "number", integer: true };
    case "object":
      return groupShape(schema, context);
    case "array":
      return listShape(schema, context);
    default:
      return { kind: "raw" };
  }
}

/**
 * Reads one schema as a field. Nothing here judges a value: the server does, and what cannot be shown as a
 * control is offered as JSON.
 */
function toField(name: string, schema: Json, required: boolean, context: Context): Field {
  context.budget.left -= 1;
  const flat = flatten(schema, context.root);
  const deep = context.depth >= MAX_DEPTH || context.budget.left < 0;
  const plain = flat?.schema ?? {};
  const help = ownText(plain, "description");
  return {
    name,
    label: ownText(plain, "title") ?? name,
    ...(help === undefined ? {} : { help }),
    required,
    nullable: flat?.nullable ?? false,
    schema: plain,
    shape:
      flat === undefined || deep ? { kind: "raw" } : shapeOf(flat, { ...context, depth: context.depth + 1 }),
  };
}

/** The whole form; `options` overlays its top-level properties. */
export function toForm(schema: Json, options: JsonObject): Field {
  const root = toField("", schema, true, { root: schema, depth: 0, budget: { left: MAX_FIELDS } });
  if (root.shape.kind !== "group") return root;
  const fields = root.shape.fields.map((field): Field => {
    const choices = overlayChoices(own(options, field.name));
    if (choices === undefined) return field;
    const isMany = ["list", "choices"].includes(field.shape.kind);
    return { ...field, shape: { kind: isMany ? "choices" : "choice", choices } };
  });
  return { ...root, shape: { kind: "group", fields } };
}
