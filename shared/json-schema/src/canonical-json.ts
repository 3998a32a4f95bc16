import type { Json } from "@interlude/kernel";
import { isJsonList, isJsonObject } from "./measure-json.ts";

/**
 * One text for equal JSON (RFC 8785 order of keys): key order does not matter, 1 is 1.0, and a property named
 * `constructor` or `valueOf` is data, which the compiler's own comparison would call as a method.
 */
export function canonicalJson(value: Json): string {
  if (isJsonList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
