import type { FormEntries } from "@interlude/forms";
import type { Json, JsonObject } from "@interlude/kernel";

/** Names and values as a browser or a provider sent them, in order. */
export type Fields = FormEntries;

export type Fault = { readonly path: string; readonly message: string };

export type Decoded<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly faults: readonly Fault[] };

/** One object of the fields: a name sent once is a text, sent again a list, and no field at all is `{}`. */
export function fieldsToObject(fields: Fields): JsonObject {
  const lists = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const list = lists.get(name);
    if (list === undefined) lists.set(name, [value]);
    else list.push(value);
  }
  // fromEntries defines own properties: "constructor" and its kind are plain names here.
  return Object.fromEntries([...lists].map(([name, list]): [string, Json] => [name, single(list) ?? list]));
}

function single(list: readonly string[]): string | undefined {
  return list.length === 1 ? list[0] : undefined;
}
