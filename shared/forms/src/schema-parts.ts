import type { Json, JsonObject } from "@interlude/kernel";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

export function isScalar(value: Json): boolean {
  return typeof value !== "object" || value === null;
}

/** Own property only: a property named `toString` is absent unless it is there. */
export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An object whose keys are data: `__proto__` and `constructor` become plain properties. */
export function objectOf<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  return Object.fromEntries(entries);
}

export function propertiesOf(schema: Json): ReadonlyMap<string, Json> {
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  return new Map(isObject(properties) ? Object.entries(properties) : []);
}

export function requiredOf(schema: Json): ReadonlySet<Json> {
  const required = isObject(schema) ? own(schema, "required") : undefined;
  return new Set(isList(required) ? required : []);
}

/** Long chains of references are nothing that a person wrote to be shown. */
const MAX_HOPS = 16;

/** The schema with its local `$ref` followed, what stands beside it kept; `undefined` when it leads nowhere. */
export function withoutReference(root: Json, schema: Json): JsonObject | undefined {
  let current: Json | undefined = schema;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (!isObject(current)) return undefined;
    const here: JsonObject = current;
    const { $ref: reference, ...beside } = here;
    if (reference === undefined) return here;
    const target: Json | undefined = typeof reference === "string" ? lookUp(root, reference) : undefined;
    if (!isObject(target)) return undefined;
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
    if (isList(current)) current = current[Number(name)];
    else current = isObject(current) ? own(current, name) : undefined;
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
