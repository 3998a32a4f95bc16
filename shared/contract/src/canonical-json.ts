import type { Json } from "@interlude/kernel";
import { isList, isObject } from "./fields.ts";

/**
 * RFC 8785: one text for a value, however its keys were ordered when it was sent. Numbers and strings of
 * ECMAScript are already in its form; keys are sorted by UTF-16 code units, which is what `sort` does.
 */
export function canonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
