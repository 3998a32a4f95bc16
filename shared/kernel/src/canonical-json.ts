import { isJsonList, isJsonObject, type Json } from "./json.ts";

/**
 * RFC 8785: one text for a value, however its keys were ordered when it was sent; 1 is 1.0, and a property named
 * `constructor` or `valueOf` is data. Numbers and strings of ECMAScript are already in its form; keys are sorted
 * by UTF-16 code units.
 */
export function canonicalJson(value: Json): string {
  if (isJsonList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
