export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** What arrives is checked at the edge, so that everything behind it may trust its types. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Reads an own property only: a question may name a field `toString`. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function ownText(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === "string" ? value : undefined;
}

/** Text that is no JSON is `undefined`, never a throw: a broken frame must not stop the stream. */
export function parseJson(text: string): Json | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed as Json; // JSON.parse makes nothing but JSON.
  } catch {
    return undefined;
  }
}
