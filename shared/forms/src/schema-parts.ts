import { isJsonList, isJsonObject, type Json, type JsonObject, ownValue } from "@interlude/kernel";

export function isScalar(value: Json): boolean {
  return typeof value !== "object" || value === null;
}

/** An object whose keys are data: `__proto__` and `constructor` become plain properties. */
export function objectOf<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  return Object.fromEntries(entries);
}

export function propertiesOf(schema: Json): ReadonlyMap<string, Json> {
  const properties = isJsonObject(schema) ? ownValue(schema, "properties") : undefined;
  return new Map(isJsonObject(properties) ? Object.entries(properties) : []);
}

export function requiredOf(schema: Json): ReadonlySet<Json> {
  const required = isJsonObject(schema) ? ownValue(schema, "required") : undefined;
  return new Set(isJsonList(required) ? required : []);
}

/** Long chains of references are nothing that a person wrote to be shown. */
const MAX_HOPS = 16;

/** The schema with its local `$ref` followed, what stands beside it kept; `undefined` when it leads nowhere. */
export function withoutReference(root: Json, schema: Json): JsonObject | undefined {
  let current: Json | undefined = schema;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (!isJsonObject(current)) return undefined;
    const here: JsonObject = current;
    const { $ref: reference, ...beside } = here;
    if (reference === undefined) return here;
    const target: Json | undefined = typeof reference === "string" ? lookUp(root, reference) : undefined;
    if (!isJsonObject(target)) return undefined;
    current = { ...target, ...beside };
  }
  return undefined;
}

function lookUp(root: Json, reference: string): Json | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  let current: Json | undefined = root;
  for (const step of reference.split("/").slice(1)) {
    const name = decode(step)?.replaceAll("~1", "/").replaceAll("~0", "~");
    if (name === undefined) return undefined;
    if (isJsonList(current)) current = current[Number(name)];
    else current = isJsonObject(current) ? ownValue(current, name) : undefined;
  }
  return current;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
