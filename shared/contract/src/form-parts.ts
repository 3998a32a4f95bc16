import { isJsonList, isJsonObject, type JsonObject } from "@interlude/kernel";
import { z } from "zod";
import { CAPS } from "./caps.ts";
import { check, countFault, fault, type Step } from "./check.ts";
import { anyObject, text } from "./fields.ts";
import { type FormOption, FormOptionSchema, repeatedOptions } from "./options.ts";
import type { FieldFault } from "./parsed.ts";

/** Checked whole and not item by item: no form has more properties, and a fault for each would be no help. */
const PropertyNames = z
  .custom<readonly string[]>(
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= CAPS.SCHEMA_MAX_PROPERTIES &&
      value.every((name) => typeof name === "string"),
    { error: `must be a list of 1 to ${CAPS.SCHEMA_MAX_PROPERTIES} property names` },
  )
  .meta({
    type: "array",
    items: { type: "string" },
    minItems: 1,
    maxItems: CAPS.SCHEMA_MAX_PROPERTIES,
  });

export const FormPageSchema = z.strictObject({
  title: text({ max: CAPS.PAGE_TITLE_MAX_CODE_POINTS, visible: true }),
  properties: PropertyNames,
});
export type FormPage = Readonly<{ title: string; properties: readonly string[] }>;

export type FormChoices = Readonly<Record<string, readonly FormOption[]>>;

export const FormDataSchema = z.strictObject({
  values: anyObject("Prefilled values by property").exactOptional(),
  // Only `dataFaults` looks inside, because which properties may have choices is the schema's to say.
  options: z
    .custom<FormChoices>(isJsonObject, { error: "must be an object" })
    .meta({
      type: "object",
      description: "Choices by property, in place of its enum: lists of {value, label?}",
    })
    .exactOptional(),
});
export type FormData = Readonly<{ values?: JsonObject; options?: FormChoices }>;

/** The form's own properties; a schema without any has none that data or pages could name. */
function propertiesOf(schema: JsonObject): JsonObject {
  const properties = schema["properties"];
  return isJsonObject(properties) ? properties : {};
}

function takesText(property: unknown): boolean {
  if (!isJsonObject(property)) return false;
  const { type } = property;
  if (Array.isArray(type)) return type.includes("string");
  if (type !== undefined) return type === "string";
  const choices = property["enum"];
  return Array.isArray(choices) && choices.every((choice) => typeof choice === "string");
}

function choiceFaults(choices: JsonObject[string], at: readonly Step[]): FieldFault[] {
  const count = countFault(choices, at, CAPS.OPTIONS_MAX_ITEMS);
  if (count !== undefined || !isJsonList(choices)) return count === undefined ? [] : [count];
  const faults: FieldFault[] = [];
  const options: FormOption[] = [];
  for (const [index, choice] of choices.entries()) {
    const parsed = check(FormOptionSchema, choice, [...at, index]);
    if (parsed.ok) options.push(parsed.value);
    else faults.push(...parsed.faults);
  }
  // With one left out the places would no longer be those of the body.
  return faults.length > 0 ? faults : repeatedOptions(options, at);
}

/** Whether `data` names only what the form has; its values against their schemas are checked by compiling. */
export function dataFaults(data: JsonObject, schema: JsonObject): FieldFault[] {
  const properties = propertiesOf(schema);
  const { values, options } = data;
  const faults: FieldFault[] = [];
  const unknown = (part: string, name: string): boolean => {
    if (Object.hasOwn(properties, name)) return false;
    faults.push(fault(["data", part, name], "is not a property of the form"));
    return true;
  };
  for (const name of isJsonObject(values) ? Object.keys(values) : []) unknown("values", name);
  for (const [name, choices] of isJsonObject(options) ? Object.entries(options) : []) {
    const at = ["data", "options", name];
    if (unknown("options", name)) continue;
    if (!takesText(properties[name])) faults.push(fault(at, "must be on a string property"));
    faults.push(...choiceFaults(choices, at));
  }
  return faults;
}

/** Whether the pages hold each property of the form exactly once. */
export function pagesFaults(pages: readonly FormPage[], schema: JsonObject): FieldFault[] {
  const properties = propertiesOf(schema);
  const seen = new Set<string>();
  const faults: FieldFault[] = [];
  for (const [page, { properties: names }] of pages.entries()) {
    for (const [index, name] of names.entries()) {
      const at = ["pages", page, "properties", index];
      if (!Object.hasOwn(properties, name))
        faults.push(fault(at, `names ${quoted(name)}, which the form has not`));
      else if (seen.has(name)) faults.push(fault(at, `names ${quoted(name)}, which is on a page already`));
      seen.add(name);
    }
  }
  const missing = Object.keys(properties).filter((name) => !seen.has(name));
  for (const name of missing) faults.push(fault(["pages"], `must also name ${quoted(name)}`));
  return faults;
}

const MAX_QUOTED = 80;

function quoted(name: string): string {
  return JSON.stringify(name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name);
}
