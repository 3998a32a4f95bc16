import type { FieldFault } from "./parsed.ts";

/** Each parameter once, under its one name: `spellings` says which other words stand for a name. */
export function collectParams(
  params: URLSearchParams,
  spellings: Readonly<Record<string, string>> = {},
): { given: Record<string, string>; faults: FieldFault[] } {
  const given: Record<string, string> = {};
  const faults: FieldFault[] = [];
  for (const [spelling, value] of params) {
    const name = Object.hasOwn(spellings, spelling) ? (spellings[spelling] ?? spelling) : spelling;
    if (Object.hasOwn(given, name)) faults.push({ path: name, message: `${name} must be given once` });
    else given[name] = value;
  }
  return { given, faults };
}
