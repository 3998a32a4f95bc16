import { pointerSteps } from "@interlude/kernel";
import { capFaults } from "./check.ts";
import type { FieldFault } from "./parsed.ts";

const once = (name: string): FieldFault => ({ path: name, message: `${name} must be given once` });

/** Each parameter once, under its one name: `spellings` says which other words stand for a name. */
export function collectParams(
  params: URLSearchParams,
  spellings: Readonly<Record<string, string>> = {},
): { given: Record<string, string>; faults: FieldFault[] } {
  const given = new Map<string, string>();
  const faults: FieldFault[] = [];
  for (const [spelling, value] of params) {
    const name = Object.hasOwn(spellings, spelling) ? (spellings[spelling] ?? spelling) : spelling;
    if (given.has(name)) faults.push(once(name));
    else given.set(name, value);
  }
  // fromEntries makes own members of all of them: `__proto__` is a name like any other, and unknown.
  return { given: Object.fromEntries(given), faults };
}

/** Faults of a query that was parsed as an object: a parameter is named as it was sent, not as a pointer. */
export function faultsByName(faults: readonly FieldFault[]): FieldFault[] {
  return faults.map(({ path, message }) => ({ path: pointerSteps(path).join("/"), message }));
}

/** What a query has that its door does not take, or has twice: a typo never silently loses what it meant. */
export function parameterFaults(params: URLSearchParams, names: readonly string[]): readonly FieldFault[] {
  const faults = [...new Set(params.keys())].flatMap((name) => {
    if (!names.includes(name)) return [{ path: name, message: `${name} is not a parameter of this door` }];
    return params.getAll(name).length > 1 ? [once(name)] : [];
  });
  return capFaults(faults);
}
