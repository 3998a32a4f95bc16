import type { Json, JsonObject } from "@interlude/kernel";
import { isObject } from "./fields.ts";

/** Stands for the answer of a question that nobody answered in time; nobody can give it as an answer. */
export const EXPIRED_MARKER: JsonObject = Object.freeze({ interaction_expired: true });

export function isExpiredMarker(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 1 && value["interaction_expired"] === true;
}
