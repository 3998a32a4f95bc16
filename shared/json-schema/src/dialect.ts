import { isJsonObject, type Json, ownValue } from "@interlude/kernel";
import type { Dialect } from "./keyword-shapes.ts";

const DRAFT_2020_URI = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const DRAFT_07_URI = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** The dialect a schema declares, 2020-12 when it declares none; `undefined` for any other. */
export function dialectOf(schema: Json): Dialect | undefined {
  const declared = isJsonObject(schema) ? ownValue(schema, "$schema") : undefined;
  if (declared === undefined) return "2020-12";
  if (typeof declared !== "string") return undefined;
  if (DRAFT_2020_URI.test(declared)) return "2020-12";
  return DRAFT_07_URI.test(declared) ? "draft-07" : undefined;
}
