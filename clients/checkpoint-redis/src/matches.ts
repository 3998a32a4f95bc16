import { isDeepStrictEqual } from "node:util";

/** Whether metadata have these members with exactly these values. */
export function matches(metadata: object, conditions: readonly (readonly [string, unknown])[]): boolean {
  const members = new Map<string, unknown>(Object.entries(metadata));
  return conditions.every(
    ([name, value]) => members.has(name) && isDeepStrictEqual(members.get(name), value),
  );
}
