import type { Json, JsonObject } from "@interlude/kernel";

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether `value` nests deeper than `limit`; a scalar has depth 0. Never recurses, so nothing is too deep to ask. */
export function isDeeperThan(value: Json, limit: number): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const containers = level.filter((entry) => typeof entry === "object" && entry !== null);
    if (containers.length > 0 && depth >= limit) return true;
    level = containers.flatMap((entry): Json[] => Object.values(entry));
  }
  return false;
}

/** Own property only: `toString` of `{}` is absent. */
export function ownValue(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
