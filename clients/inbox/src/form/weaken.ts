import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../api/json.ts";

/** Under these a missing rule turns "no" into "yes" and the other way round. */
const CONDITIONAL = new Set([
  "not",
  "if",
  "oneOf",
  "anyOf",
  "contains",
  "patternProperties",
  "dependentSchemas",
]);
const VERBATIM = new Set(["const", "enum", "default", "examples", "required"]);
const DROPPED = new Set(["pattern", "format"]);

function mentions(value: Json): boolean {
  if (isJsonArray(value)) return value.some(mentions);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, part]) => DROPPED.has(key) || mentions(part));
}

function weakenProperties(value: Json): Json | undefined {
  if (!isJsonObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, weaken(part)] as const);
  return parts.some(([, part]) => part === undefined) ? undefined : (Object.fromEntries(parts) as JsonObject);
}

function weakenKeyword(key: string, value: Json): Json | undefined {
  if (VERBATIM.has(key)) return value;
  if (CONDITIONAL.has(key)) return mentions(value) ? undefined : value;
  if (["properties", "$defs", "definitions"].includes(key)) return weakenProperties(value);
  return weaken(value);
}

/**
 * The schema without `pattern` and `format`, or undefined where leaving them out could refuse a good answer.
 * Patterns are written for an engine that cannot hang, which a browser's can; and formats are read differently
 * by every checker: both are the server's to judge, and its faults are shown at the same fields.
 */
export function weaken(schema: Json): Json | undefined {
  if (isJsonArray(schema)) {
    const parts = schema.map(weaken);
    return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  if (!isJsonObject(schema)) return schema;
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (DROPPED.has(key) && typeof value === "string") continue;
    const weakened = weakenKeyword(key, value);
    if (weakened === undefined) return undefined;
    kept.push([key, weakened]);
  }
  return Object.fromEntries(kept);
}
