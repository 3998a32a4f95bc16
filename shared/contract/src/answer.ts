import { isJsonObject, type Json, type JsonObject } from "@interlude/kernel";
import { z } from "zod";
import { CAPS } from "./caps.ts";
import { check, fault } from "./check.ts";
import { isExpiredMarker } from "./expired-marker.ts";
import { anyJson, stringMap } from "./fields.ts";
import { type AskOption, optionValues } from "./options.ts";
import type { FieldFault, Parsed } from "./parsed.ts";
import { codePoints, textFaults } from "./text.ts";

export const AnswerBodySchema = z.strictObject({
  answer: anyJson("By the question's answer_format"),
  params: stringMap({
    keys: CAPS.PARAMS_MAX_KEYS,
    value: { min: 0, max: CAPS.PARAMS_VALUE_MAX_CODE_POINTS },
  }).exactOptional(),
});
export type AnswerParams = Readonly<Record<string, string>>;
export type AnswerBody = Readonly<{ answer: Json; params?: AnswerParams }>;

const encoder = new TextEncoder();

/**
 * As much of what comes along as an answer or a turn may carry, in its order: what is no text, empty or too long is left
 * out whole, never cut.
 */
export function boundedParams(given: Readonly<Record<string, unknown>>): { params?: AnswerParams } {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "string" || value === "" || !isWhole(value)) continue;
    if (codePoints(value) > CAPS.PARAMS_VALUE_MAX_CODE_POINTS) continue;
    if (Object.keys(params).length === CAPS.PARAMS_MAX_KEYS) break;
    if (paramsBytes({ ...params, [name]: value }) <= CAPS.PARAMS_MAX_BYTES) params[name] = value;
  }
  return Object.keys(params).length === 0 ? {} : { params };
}

/** Neither NUL nor half a character: no JSON of ours may hold them. */
function isWhole(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** What accompanies an answer; the cap on all of it together counts the UTF-8 bytes of keys and values. */
function paramsBytes(params: AnswerParams): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(params)) {
    bytes += encoder.encode(key).length + encoder.encode(value).length;
  }
  return bytes;
}

function bodyFaults(value: AnswerBody): FieldFault[] {
  const faults: FieldFault[] = [];
  if (isExpiredMarker(value.answer))
    faults.push(fault(["answer"], "must not be the marker of an expired question"));
  const bytes = value.params === undefined ? 0 : paramsBytes(value.params);
  if (bytes > CAPS.PARAMS_MAX_BYTES) {
    faults.push(fault(["params"], `must be at most ${CAPS.PARAMS_MAX_BYTES} bytes together and is ${bytes}`));
  }
  return faults;
}

/** `{answer, params?}` of the answer door; whether the answer fits its question is checked with the question. */
export function parseAnswerBody(body: Json): Parsed<AnswerBody> {
  const parsed = check(AnswerBodySchema, body);
  if (!parsed.ok) return parsed;
  const faults = bodyFaults(parsed.value);
  return faults.length === 0 ? parsed : { ok: false, faults };
}

export type PlainFormat = "text" | "confirm" | "select";

/** What is wrong with an answer to a question that has no schema; nothing is coerced. */
export function checkPlainAnswer(
  format: PlainFormat,
  options: readonly AskOption[] | undefined,
  answer: Json,
): FieldFault[] {
  switch (format) {
    case "text":
      if (typeof answer !== "string") return [fault(["answer"], "must be a string")];
      return textFaults(answer, { min: 0, max: CAPS.ANSWER_TEXT_MAX_CODE_POINTS }).map((message) =>
        fault(["answer"], message),
      );
    case "confirm":
      return typeof answer === "boolean" ? [] : [fault(["answer"], "must be a boolean")];
    case "select": {
      const values = optionValues(options ?? []);
      if (typeof answer === "string" && values.includes(answer)) return [];
      return [fault(["answer"], `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`)];
    }
  }
}

/** The whole object that a callback brings; its schema is checked by whoever has it compiled. */
export function callbackObject(body: Json): Parsed<JsonObject> {
  if (!isJsonObject(body)) return { ok: false, faults: [fault([], "must be an object")] };
  if (isExpiredMarker(body)) {
    return { ok: false, faults: [fault([], "must not be the marker of an expired question")] };
  }
  return { ok: true, value: body };
}
