import type { Json } from "@interlude/kernel";

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
