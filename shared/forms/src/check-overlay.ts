import type { FieldFault, FormData, FormPage } from "@interlude/contract";
import { compileSchema } from "@interlude/json-schema";
import { isJsonList, isJsonObject, isWithin, type Json, ownValue, pointer } from "@interlude/kernel";
import { typesOf } from "./choose-control.ts";
import { effectiveSchema } from "./effective-schema.ts";
import { propertiesOf, withoutReference } from "./schema-parts.ts";

/** What is wrong with `data` and `pages` against their schema; paths start at the ask's body. */
export function checkOverlay(schema: Json, data?: FormData, pages?: readonly FormPage[]): FieldFault[] {
  const optionsFaults = checkOptions(schema, data);
  // With options that cannot stand, values would be told of faults that are not theirs.
  const valuesFaults = optionsFaults.length > 0 ? [] : checkValues(effectiveSchema(schema, data), data);
  return [...optionsFaults, ...valuesFaults, ...(pages === undefined ? [] : checkPages(schema, pages))];
}

function checkOptions(schema: Json, data: FormData | undefined): FieldFault[] {
  const properties = propertiesOf(schema);
  return Object.keys(data?.options ?? {}).flatMap((name) => {
    const path = pointer("/data/options", name);
    const property = properties.get(name);
    if (property === undefined) return [{ path, message: `${name} is not a property of the form` }];
    const isText = takesText(withoutReference(schema, property));
    return isText ? [] : [{ path, message: `${name} is no string and cannot have options` }];
  });
}

function takesText(property: ReturnType<typeof withoutReference>): boolean {
  if (property === undefined) return false;
  const listed = ownValue(property, "enum");
  if (ownValue(property, "type") !== undefined) return typesOf(property).types.includes("string");
  return isJsonList(listed) && listed.every((value) => typeof value === "string");
}

/** Each value is checked by its own property alone: what is required may still be missing. */
function checkValues(schema: Json, data: FormData | undefined): FieldFault[] {
  const values = data?.values;
  if (values === undefined || !isJsonObject(schema)) return [];
  const properties = propertiesOf(schema);
  const unknown = Object.keys(values).filter((name) => !properties.has(name));
  const faults = unknown.map((name) => ({
    path: pointer("/data/values", name),
    message: `${name} is not a property of the form`,
  }));
  const alone = compileSchema(onlyProperties(schema));
  // A reference may lead to a part that was left out: then only the whole schema can tell.
  const compiled = alone.ok ? alone : compileSchema(schema);
  if (!compiled.ok) return faults;
  const heads = Object.keys(values).map((name) => pointer("", name));
  const wrong = compiled.schema
    .validate(values)
    .filter(({ path }) => heads.some((head) => isWithin(path, head)))
    .map(({ path, message }) => ({ path: `/data/values${path}`, message }));
  return [...faults, ...wrong];
}

const KEPT = ["$schema", "$id", "$defs", "definitions", "properties"];

function onlyProperties(schema: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEPT.includes(keyword)));
}

function checkPages(schema: Json, pages: readonly FormPage[]): FieldFault[] {
  const missing = new Set(propertiesOf(schema).keys());
  const seen = new Set<string>();
  const faults = pages.flatMap((page, at) =>
    page.properties.flatMap((name, index): FieldFault[] => {
      const path = pointer("/pages", at, "properties", index);
      const isRepeated = seen.has(name);
      const isKnown = missing.delete(name) || isRepeated;
      seen.add(name);
      if (isRepeated) return [{ path, message: `${name} is on a page already` }];
      return isKnown ? [] : [{ path, message: `${name} is not a property of the form` }];
    }),
  );
  const left = [...missing].map((name) => ({ path: "/pages", message: `${name} is on no page` }));
  return [...faults, ...left];
}
