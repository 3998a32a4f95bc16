import type { FormData, FormPage } from "@interlude/contract";
import { isJsonObject, type Json, type JsonObject, ownValue, pointer } from "@interlude/kernel";
import { choicesOf, scalarControl, typesOf } from "./choose-control.ts";
import type { Field, FieldBounds, FieldOption, FormModel } from "./field.ts";
import { objectOf, propertiesOf, requiredOf, withoutReference } from "./schema-parts.ts";

export type FormOverlay = { readonly data?: FormData; readonly pages?: readonly FormPage[] };

/** Nested deeper, a property is edited as JSON; that also ends a schema that contains itself. */
const MAX_NESTING = 6;

/** The form of a schema, with what this ask lays over it. Total: what has no control of its own is edited as JSON. */
export function toFields(schema: Json, overlay: FormOverlay = {}): FormModel {
  const root = withoutReference(schema, schema);
  const properties = root === undefined ? undefined : propertiesOf(root);
  if (root === undefined || properties === undefined || properties.size === 0) {
    return { pages: [{ fields: [wholeAnswer(schema)] }] };
  }
  const required = requiredOf(root);
  const fields = [...properties].map(([name, property]) => {
    const values = overlay.data?.values;
    const given = values === undefined ? undefined : ownValue(values, name);
    const options = overlay.data?.options;
    const choices = options !== undefined && Object.hasOwn(options, name) ? options[name] : undefined;
    return toField({
      root: schema,
      schema: property,
      name,
      pointer: pointer("", name),
      required: required.has(name),
      nesting: 0,
      given,
      choices: choices?.map(({ value, label }) => ({ value, label: label ?? value })),
    });
  });
  return { pages: overlay.pages === undefined ? [{ fields }] : onPages(fields, overlay.pages) };
}

function onPages(fields: readonly Field[], pages: readonly FormPage[]): FormModel["pages"] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return pages.map(({ title, properties }) => ({
    title,
    fields: properties.flatMap((name) => byName.get(name) ?? []),
  }));
}

function wholeAnswer(schema: Json): Field {
  const label = isJsonObject(schema) ? textOf(schema, "title") : undefined;
  return { name: "", pointer: "", control: "json", label: label ?? "Answer", required: true, nullable: true };
}

type Origin = {
  readonly root: Json;
  readonly schema: Json;
  readonly name: string;
  readonly pointer: string;
  readonly required: boolean;
  readonly nesting: number;
  readonly given: Json | undefined;
  readonly choices: FieldOption[] | undefined;
};

function toField(origin: Origin): Field {
  const schema = withoutReference(origin.root, origin.schema) ?? {};
  const description = textOf(schema, "description");
  const prefill = origin.given ?? ownValue(schema, "default");
  const common = {
    name: origin.name,
    pointer: origin.pointer,
    label: textOf(schema, "title") ?? origin.name,
    ...(description === undefined ? {} : { description }),
    required: origin.required,
    nullable: typesOf(schema).nullable,
    ...(prefill === undefined ? {} : { prefill }),
    ...boundsOf(schema),
  };
  const { types } = typesOf(schema);
  const isBox = types.length === 1 && types[0] === "boolean";
  const options = origin.choices ?? (isBox ? undefined : choicesOf(schema));
  if (options !== undefined) return { ...common, control: "select", options };
  return { ...common, ...structureOf(schema, origin, prefill) };
}

/** The control of a property without choices, with the fields inside it when it holds some. */
function structureOf(
  schema: JsonObject,
  origin: Origin,
  prefill: Json | undefined,
): Pick<Field, "control" | "fields" | "item" | "options"> {
  const { types } = typesOf(schema);
  const inner = { root: origin.root, nesting: origin.nesting + 1, choices: undefined };
  if (inner.nesting > MAX_NESTING || types.length !== 1) return { control: scalarControl(schema, prefill) };
  const properties = propertiesOf(schema);
  if (types[0] === "object" && properties.size > 0) {
    const required = requiredOf(schema);
    const fields = [...properties].map(([name, property]) =>
      toField({
        ...inner,
        schema: property,
        name,
        pointer: pointer(origin.pointer, name),
        required: required.has(name),
        given: isJsonObject(prefill) ? ownValue(prefill, name) : undefined,
      }),
    );
    return { control: "group", fields };
  }
  const items = ownValue(schema, "items");
  if (types[0] !== "array" || !isJsonObject(items)) return { control: scalarControl(schema, prefill) };
  const at = { ...inner, schema: items, name: origin.name, pointer: pointer(origin.pointer, "-") };
  const item = toField({ ...at, required: true, given: undefined });
  const isChoice = ownValue(schema, "uniqueItems") === true && item.options !== undefined;
  return isChoice ? { control: "multiselect", options: item.options } : { control: "list", item };
}

const BOUNDS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] as const;

function boundsOf(schema: JsonObject): FieldBounds {
  return objectOf(
    BOUNDS.flatMap((keyword): [string, number][] => {
      const value = ownValue(schema, keyword);
      return typeof value === "number" ? [[keyword, value]] : [];
    }),
  );
}

/** A title that shows nothing would leave the control without a name. */
function textOf(schema: JsonObject, keyword: string): string | undefined {
  const value = ownValue(schema, keyword);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
