import type { Item, Json, JsonObject, Option } from "@interlude/sdk";
import { z } from "zod";
import { usage } from "./exit-code.ts";

const YES = new Set(["yes", "y", "ok", "true", "1"]);
const NO = new Set(["no", "n", "false", "0"]);

export function fold(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

export function parseJson(text: string, what: string): Json {
  try {
    return z.json().parse(JSON.parse(text));
  } catch {
    throw usage(`${what} is not JSON`);
  }
}

export function parseJsonObject(text: string, what: string): JsonObject {
  const value = z.record(z.string(), z.json()).safeParse(parseJson(text, what));
  if (!value.success) throw usage(`${what} is not a JSON object`);
  return value.data;
}

export function optionValue(option: Option): string {
  return typeof option === "string" ? option : option.value;
}

export function optionLabel(option: Option): string {
  return typeof option === "string" ? option : (option.label ?? option.value);
}

function confirmOf(text: string): boolean {
  const word = fold(text);
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw usage("answer yes or no");
}

/** By exact value first; then as a person types: value or label in any case, or the number where none is an option. */
function selectOf(text: string, options: readonly Option[]): string {
  const exact = options.find((option) => optionValue(option) === text);
  if (exact !== undefined) return optionValue(exact);
  const word = fold(text);
  const matches = options.filter(
    (option) => fold(optionValue(option)) === word || fold(optionLabel(option)) === word,
  );
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return optionValue(match);
  if (matches.length > 1) throw usage(`${JSON.stringify(text)} fits several options; give the value exactly`);
  const isNumbered = !options.some(
    (option) => /^\d+$/.test(fold(optionValue(option))) || /^\d+$/.test(fold(optionLabel(option))),
  );
  const numbered = isNumbered && /^[1-9]\d*$/.test(word) ? options[Number(word) - 1] : undefined;
  if (numbered !== undefined) return optionValue(numbered);
  throw usage(`answer one of: ${options.map((option) => JSON.stringify(optionValue(option))).join(", ")}`);
}

const Properties = z.object({
  properties: z.record(z.string(), z.looseObject({ type: z.unknown() }).or(z.boolean())).optional(),
});

/** A typed number as on form pages: `0x10`, `+7` and a decimal comma are mistakes, not numbers. */
function fieldValue(name: string, text: string, type: unknown): Json {
  switch (type) {
    case undefined:
    case "string":
      return text;
    case "boolean":
      return confirmOf(text);
    case "integer":
    case "number":
      if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim())) return Number(text);
      throw usage(`--field ${name}: not a number`);
    default:
      return parseJson(text, `--field ${name}`);
  }
}

export function splitPair(pair: string, flag: string): [string, string] {
  const at = pair.indexOf("=");
  if (at < 1) throw usage(`${flag} takes name=value`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

export function pairs(given: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(given.map((pair) => splitPair(pair, flag)));
}

function fieldsOf(given: readonly string[], schema: unknown): JsonObject {
  const properties = Properties.safeParse(schema).data?.properties ?? {};
  return Object.fromEntries(
    Object.entries(pairs(given, "--field")).map(([name, text]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property === undefined) throw usage(`--field ${name}: the form has no such property`);
      return [name, fieldValue(name, text, typeof property === "object" ? property.type : undefined)];
    }),
  );
}

/** What was typed, as the question's format wants it. */
export function answerFor(item: Item, text: string | undefined, fields: readonly string[]): Json {
  if (fields.length > 0) {
    if (item.answerFormat !== "form")
      throw usage(`--field is for forms; this question wants ${item.answerFormat}`);
    if (text !== undefined) throw usage("give the form as JSON or as --field, not both");
    return fieldsOf(fields, item.formatPayload.schema);
  }
  if (text === undefined) throw usage("give an answer");
  switch (item.answerFormat) {
    case "text":
      return text;
    case "confirm":
      return confirmOf(text);
    case "select":
      return selectOf(text, item.formatPayload.options ?? []);
    case "form":
      return parseJsonObject(text, "the answer");
    case "external":
      throw usage("this question is answered by its link's callback");
  }
}
