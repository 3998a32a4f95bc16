import type { FieldFault } from "@interlude/contract";
import { isJsonList, isJsonObject, type Json, ownValue, pointer } from "@interlude/kernel";
import { propertiesOf } from "./schema-parts.ts";

const TYPES: readonly unknown[] = ["string", "boolean", "integer", "number"];

/**
 * What a chat's form or a page without script can ask for: at least one property, each a string, boolean,
 * integer or number. Paths start at the ask's body (`/schema/…`). More constraints are welcome; they are
 * not drawn, and hold for the answer all the same.
 */
export function checkRenderable(schema: Json): FieldFault[] {
  const type = isJsonObject(schema) ? ownValue(schema, "type") : undefined;
  if (!isJsonObject(schema) || (type !== undefined && type !== "object")) {
    return [{ path: "/schema", message: "schema must be of type object to be shown as a form" }];
  }
  const properties = propertiesOf(schema);
  if (properties.size === 0) {
    return [{ path: "/schema/properties", message: "properties must have at least one property" }];
  }
  const faults = [...properties].flatMap(([name, property]) => propertyFaults(name, property));
  return [...faults, ...requiredFaults(ownValue(schema, "required"), properties)];
}

function propertyFaults(name: string, property: Json): FieldFault[] {
  const path = pointer("/schema/properties", name);
  const fault = (message: string, ...steps: string[]): FieldFault[] => [
    { path: pointer(path, ...steps), message: `${name === "" ? '""' : name} ${message}` },
  ];
  // A browser leaves out a field without a name, and rewrites line breaks in one.
  if (name === "" || /\p{Cc}/u.test(name)) return fault("is no name that a form can carry");
  if (!isJsonObject(property)) return fault("must be a schema of type string, boolean, integer or number");
  const type = ownValue(property, "type");
  if (!TYPES.includes(type)) return fault("must be of type string, boolean, integer or number", "type");
  const listed = ownValue(property, "enum");
  if (listed === undefined) return [];
  if (type !== "string") return fault("may have an enum only if it is a string", "enum");
  const isTexts =
    isJsonList(listed) && listed.length > 0 && listed.every((value) => typeof value === "string");
  return isTexts ? [] : fault("must have an enum of at least one string, and of strings only", "enum");
}

function requiredFaults(required: Json | undefined, properties: ReadonlyMap<string, Json>): FieldFault[] {
  if (!isJsonList(required)) return [];
  return required.flatMap((name, index) =>
    typeof name === "string" && !properties.has(name)
      ? [{ path: pointer("/schema/required", index), message: `${name} is required but is no property` }]
      : [],
  );
}
