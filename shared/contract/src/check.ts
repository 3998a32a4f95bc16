import { isJsonObject, type Json, pointer } from "@interlude/kernel";
import type { z } from "zod";
import type { FieldFault, Parsed } from "./parsed.ts";

type Issue = z.core.$ZodIssue;
export type Step = string | number;
/** What is being parsed, and where it stands in the body. */
type Input = Readonly<{ value: Json; at: readonly Step[] }>;

/** So that a body of nothing but faults is not answered with a body many times its size. */
const MAX_FAULTS = 200;
/** Fewer, so that the faults of the known fields still have room. */
const MAX_UNKNOWN = 100;
const MAX_NAME = 80;

const EXPECTED: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  object: "an object",
  array: "a list",
  int: "a whole number",
};

function steps(path: readonly PropertyKey[]): Step[] {
  return path.map((step) => (typeof step === "number" ? step : String(step)));
}

/** `options[3].label`: how the field is called in a message. */
function fieldName(path: readonly Step[]): string {
  let name = "";
  for (const step of path) {
    name += typeof step === "number" ? `[${step}]` : `${name === "" ? "" : "."}${step}`;
  }
  if (name === "") return "the body";
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name;
}

/** A fault at a place, in words that begin with the field's name. */
export function fault(at: readonly Step[], message: string): FieldFault {
  return { path: pointer("", ...at), message: `${fieldName(at)} ${message}` };
}

function valueAt(body: unknown, path: readonly Step[]): unknown {
  let value = body;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === "number") value = value[step];
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

function limit(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const [bound, value] = issue.code === "too_small" ? ["least", issue.minimum] : ["most", issue.maximum];
  return issue.origin === "array" ? `must have at ${bound} ${value} items` : `must be at ${bound} ${value}`;
}

function sentence(issue: Issue, value: unknown): string {
  if (value === undefined) return "is required";
  if (issue.code === "invalid_type") return `must be ${EXPECTED[issue.expected] ?? issue.expected}`;
  // A schema that says why has the better words.
  if (issue.code === "invalid_value" && !issue.message.startsWith("Invalid")) return issue.message;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "too_small" || issue.code === "too_big") return limit(issue);
  return issue.message;
}

/** Of a union of a string and an object, the branch that the value means; else what would be allowed. */
function unionFaults(input: Input, issue: z.core.$ZodIssueInvalidUnion, inside: Step[]): FieldFault[] {
  const value = valueAt(input.value, inside);
  const [asText, asObject] = issue.errors;
  const branch = typeof value === "string" ? asText : isJsonObject(value) ? asObject : undefined;
  if (branch !== undefined) return branch.flatMap((inner) => issueFaults(input, inner, inside));
  return [
    fault([...input.at, ...inside], value === undefined ? "is required" : "must be a string or an object"),
  ];
}

function issueFaults(input: Input, issue: Issue, above: Step[]): FieldFault[] {
  const inside = [...above, ...steps(issue.path)];
  const at = [...input.at, ...inside];
  if (issue.code === "unrecognized_keys") {
    const faults = issue.keys.slice(0, MAX_UNKNOWN).map((key) => fault([...at, key], "is not a known field"));
    const more = issue.keys.length - faults.length;
    return more > 0 ? [...faults, fault(at, `has ${more} more fields that are not known`)] : faults;
  }
  if (issue.code === "invalid_union") return unionFaults(input, issue, inside);
  return [fault(at, sentence(issue, valueAt(input.value, inside)))];
}

/** Lists at most two hundred faults, and how many more there are. */
export function capFaults(faults: readonly FieldFault[]): readonly FieldFault[] {
  if (faults.length <= MAX_FAULTS) return faults;
  return [
    ...faults.slice(0, MAX_FAULTS),
    { path: "", message: `and ${faults.length - MAX_FAULTS} more faults` },
  ];
}

/** Parses by a schema; every fault with its place (below `at`) and in words that name the field. */
export function check<T>(schema: z.ZodType<T>, value: Json, at: readonly Step[] = []): Parsed<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues.flatMap((issue) => issueFaults({ value, at }, issue, []));
  return { ok: false, faults: capFaults(faults) };
}

/** So that a list of many is refused without a look at each item. */
export function countFault(value: Json, at: readonly Step[], max: number): FieldFault | undefined {
  if (!Array.isArray(value)) return fault(at, "must be a list");
  if (value.length === 0) return fault(at, "must not be empty");
  return value.length <= max
    ? undefined
    : fault(at, `must have at most ${max} items and has ${value.length}`);
}
