import { isJsonObject, type Json, pointer } from "@interlude/kernel";
import { FORMATS } from "./formats.ts";
import type { KeywordShape } from "./keyword-shapes.ts";
import { SCHEMA_LIMITS } from "./limits.ts";
import { compilePattern } from "./linear-pattern.ts";
import type { SchemaReading } from "./schema-node.ts";

type Place = { readonly pointer: string; readonly owner: string };
type PlainShape = Exclude<
  KeywordShape,
  "schema" | "items" | "schemaList" | "schemaByProperty" | "schemaByPattern" | "dependencies"
>;

const TYPES: readonly unknown[] = ["array", "boolean", "integer", "null", "number", "object", "string"];

const RULES: Readonly<Record<Exclude<PlainShape, "any" | "namesByProperty">, string>> = {
  boolean: "must be true or false",
  count: "must be a whole number, 0 or more",
  format: "must be a string",
  list: "must be a list of at least one value",
  names: "must be a list of different property names",
  number: "must be a number",
  pattern: "must be a string",
  positive: "must be a number above 0",
  text: "must be a string",
  type: `must be one of ${TYPES.join(", ")}, or a list of different ones`,
};

/** Reads a keyword that holds no schema: its value for the compiler, or `undefined` after noting a fault. */
export function readPlainKeyword(
  reading: SchemaReading,
  shape: PlainShape,
  keyword: string,
  value: Json,
  place: Place,
): unknown {
  if (shape === "any") return { value };
  if (shape === "namesByProperty") return readNamesByProperty(reading, keyword, value, place);
  if (!hasShape(shape, value)) {
    reading.faults.push({
      path: pointer(place.pointer, keyword),
      message: `${keyword} of ${place.owner} ${RULES[shape]}`,
    });
    return undefined;
  }
  if (typeof value !== "string") return value;
  if (shape === "pattern") readPattern(reading, value, place, keyword, pointer("", keyword));
  // An unknown format is an annotation, when asked and when answered.
  if (shape === "format" && !FORMATS.has(value)) return undefined;
  return value;
}

function hasShape(shape: Exclude<PlainShape, "any" | "namesByProperty">, value: Json): boolean {
  switch (shape) {
    case "boolean":
      return typeof value === "boolean";
    case "count":
      return typeof value === "number" && Number.isInteger(value) && value >= 0;
    case "format":
    case "pattern":
    case "text":
      return typeof value === "string";
    case "list":
      return Array.isArray(value) && value.length > 0;
    case "names":
      return areDifferentNames(value);
    case "number":
      return typeof value === "number";
    case "positive":
      return typeof value === "number" && value > 0;
    case "type":
      if (!Array.isArray(value)) return TYPES.includes(value);
      return value.length > 0 && areDifferentNames(value) && value.every((name) => TYPES.includes(name));
  }
}

function areDifferentNames(value: Json): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((name) => typeof name === "string") && new Set(value).size === value.length;
}

function readNamesByProperty(reading: SchemaReading, keyword: string, value: Json, place: Place): unknown {
  if (!isJsonObject(value)) {
    const message = `${keyword} of ${place.owner} must be an object of lists of names`;
    reading.faults.push({ path: pointer(place.pointer, keyword), message });
    return undefined;
  }
  const inner = { pointer: pointer(place.pointer, keyword), owner: place.owner };
  const entries = Object.entries(value).map(([name, names]) => {
    return [name, readPlainKeyword(reading, "names", name, names, inner)] as const;
  });
  return Object.fromEntries(entries);
}

/** Compiles a pattern once a schema, within what all patterns of one schema may cost together. */
export function readPattern(
  reading: SchemaReading,
  source: string,
  place: Place,
  keyword: string,
  at: string,
): void {
  const refuse = (reason: string): void => {
    const message = `${keyword} of ${place.owner} cannot be used: ${reason}`;
    reading.faults.push({ path: place.pointer + at, message });
  };
  if (reading.patterns.has(source)) return;
  if (reading.instructions > SCHEMA_LIMITS.maxInstructions) {
    refuse("the patterns of this schema are too long together");
    return;
  }
  const result = compilePattern(source);
  if (!result.ok) {
    refuse(result.reason);
    return;
  }
  reading.instructions += result.pattern.size;
  reading.patterns.set(source, result.pattern);
}
