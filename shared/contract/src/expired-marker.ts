import { isJsonObject, type Json, type JsonObject } from "@interlude/kernel";

/** Stands for the answer of a question that nobody answered in time; nobody can give it as an answer. */
export const EXPIRED_MARKER: JsonObject = Object.freeze({ interaction_expired: true });

export function isExpiredMarker(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 1 && value["interaction_expired"] === true;
}
