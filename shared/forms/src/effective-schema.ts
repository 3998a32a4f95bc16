import type { FormData } from "@interlude/contract";
import { isJsonObject, type Json } from "@interlude/kernel";
import { objectOf, propertiesOf, withoutReference } from "./schema-parts.ts";

/** The schema an answer to this ask must fit: `data.options` stand in for the enum of their property. */
export function effectiveSchema(schema: Json, data?: FormData): Json {
  const choices = data?.options;
  if (choices === undefined || !isJsonObject(schema)) return schema;
  const properties = [...propertiesOf(schema)].map(([name, property]): [string, Json] => {
    const options = Object.hasOwn(choices, name) ? choices[name] : undefined;
    if (options === undefined) return [name, property];
    const own = withoutReference(schema, property);
    // What cannot be read keeps its own rules, and the options become one more.
    const base = own ?? { allOf: [property] };
    return [name, { ...withoutChoices(base), enum: options.map((option) => option.value) }];
  });
  return { ...schema, properties: objectOf(properties) };
}

/** `oneOf` and `anyOf` of constants are another way to write an enum, so they go with it. */
function withoutChoices(property: Readonly<Record<string, Json>>): Record<string, Json> {
  const isChoice = (value: Json): boolean =>
    Array.isArray(value) &&
    value.every((entry: Json) => isJsonObject(entry) && Object.hasOwn(entry, "const"));
  const kept = Object.entries(property).filter(
    ([keyword, value]) => !((keyword === "oneOf" || keyword === "anyOf") && isChoice(value)),
  );
  return objectOf(kept);
}
