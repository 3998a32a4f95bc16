import type { ErrorObject } from "ajv";
import { type Json, pointer, pointerSteps } from "@interlude/kernel";
import type { FieldFault } from "./field-fault.ts";
import type { CleanObject, CleanSchema } from "./schema-node.ts";

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["array", "a list"],
  ["boolean", "true or false"],
  ["integer", "an integer"],
  ["null", "null"],
  ["number", "a number"],
  ["object", "an object"],
  ["string", "a string"],
]);

const FORMAT_NAMES: ReadonlyMap<string, string> = new Map([
  ["date", "a date like 2026-03-31"],
  ["time", "a time with an offset like 14:30:00Z"],
  ["date-time", "a date and time with an offset like 2026-03-31T14:30:00Z"],
  ["email", "an e-mail address"],
  ["uri", "a URI"],
  ["url", "a URL"],
  ["hostname", "a host name"],
  ["uuid", "a UUID"],
  ["ipv4", "an IPv4 address"],
  ["ipv6", "an IPv6 address"],
  ["regex", "a regular expression"],
]);

/** More would help nobody, and a hostile value could ask for millions. */
const MAX_FAULTS = 100;
/** Choices are listed in full up to here. */
const MAX_LISTED = 20;

/** The compiler's errors in a person's words: each names the field and points at it. */
export function explainFaults(errors: readonly ErrorObject[], root: CleanSchema): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const error of withoutBranches(errors, root)) {
    const fault = explain(error);
    faults.set(`${fault.path} ${fault.message}`, fault);
    if (faults.size === MAX_FAULTS) break;
  }
  return [...faults.values()];
}

/** What each branch of an `anyOf` missed is noise once none of them fits; so is the `if` beside its `then`. */
function withoutBranches(errors: readonly ErrorObject[], root: CleanSchema): ErrorObject[] {
  const kept: ErrorObject[] = [];
  const reachable = new Map<unknown, Set<unknown>>();
  for (const error of errors) {
    if (error.keyword === "if" || error.keyword === "propertyNames") continue;
    if (error.keyword === "anyOf" || error.keyword === "oneOf") {
      const branches = reachable.get(error.schema) ?? schemasWithin(error.schema, root);
      reachable.set(error.schema, branches);
      while (isWithin(branches, error, kept.at(-1))) kept.pop();
    }
    kept.push(error);
  }
  return kept;
}

function isWithin(branches: Set<unknown>, choice: ErrorObject, error: ErrorObject | undefined): boolean {
  if (error === undefined || !error.instancePath.startsWith(choice.instancePath)) return false;
  return branches.has(error.parentSchema) || error.schemaPath.startsWith(`${choice.schemaPath}/`);
}

/** The schemas below a keyword, those it refers to included: an error's path does not say who referred. */
function schemasWithin(keyword: unknown, root: CleanSchema): Set<unknown> {
  const found = new Set<unknown>();
  const open: unknown[] = [keyword];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null || found.has(next)) continue;
    found.add(next);
    for (const [name, value] of Object.entries(next) as [string, unknown][]) {
      if (name !== "$defs") open.push(name === "$ref" ? target(value, root) : value);
    }
  }
  return found;
}

function target(ref: unknown, root: CleanSchema): unknown {
  if (typeof root !== "object" || typeof ref !== "string") return undefined;
  const definitions = root["$defs"] as CleanObject | undefined;
  return ref === "#" ? root : definitions?.[ref.slice("#/$defs/".length)];
}

function explain(error: ErrorObject): FieldFault {
  const params = error.params as Record<string, unknown>;
  const inner = innerName(error, params);
  const path = inner === undefined ? error.instancePath : pointer(error.instancePath, inner);
  const name = pointerSteps(path).join(".") || "the value";
  return { path, message: `${name} ${rule(error, params)}` };
}

/** Some faults are about a property of the value that they are reported at. */
function innerName(error: ErrorObject, params: Record<string, unknown>): string | undefined {
  const name =
    params["missingProperty"] ??
    params["additionalProperty"] ??
    params["unevaluatedProperty"] ??
    error.propertyName;
  return typeof name === "string" ? name : undefined;
}

function rule(error: ErrorObject, params: Record<string, unknown>): string {
  const limit = String(params["limit"]);
  switch (error.keyword) {
    case "type":
      return `must be ${typeNames(params["type"])}`;
    case "required":
      return "is required";
    case "dependentRequired":
    case "dependencies":
      return `is required when ${String(params["property"])} is given`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return "is not a known property";
    case "x-const":
      return `must be ${shown((error.schema as { value: Json }).value)}`;
    case "x-enum":
      return `must be one of: ${listed(error.schema as readonly Json[])}`;
    case "format":
      return `must be ${FORMAT_NAMES.get(String(params["format"])) ?? `in the format ${String(params["format"])}`}`;
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "exclusiveMinimum":
      return `must be more than ${limit}`;
    case "exclusiveMaximum":
      return `must be less than ${limit}`;
    case "multipleOf":
      return `must be a multiple of ${String(params["multipleOf"])}`;
    default:
      return sizeRule(error, params, limit);
  }
}

function sizeRule(error: ErrorObject, params: Record<string, unknown>, limit: string): string {
  const counted = (unit: string, plural = `${unit}s`) => `${limit} ${limit === "1" ? unit : plural}`;
  switch (error.keyword) {
    case "minLength":
      return limit === "1" ? "must not be empty" : `must have at least ${counted("character")}`;
    case "maxLength":
      return `must have at most ${counted("character")}`;
    case "pattern":
      return `does not have the expected form (${String(params["pattern"])})`;
    case "minItems":
      return `must have at least ${counted("item")}`;
    case "maxItems":
      return `must have at most ${counted("item")}`;
    case "items":
    case "additionalItems":
    case "unevaluatedItems":
      return "has more items than expected";
    case "x-unique":
      return "must not hold the same item twice";
    case "contains":
      return "does not hold the expected items";
    case "minProperties":
      return `must have at least ${counted("property", "properties")}`;
    case "maxProperties":
      return `must have at most ${counted("property", "properties")}`;
    case "oneOf":
    case "anyOf":
    case "x-one-of":
    case "x-any-of":
      return choiceRule(error);
    default:
      return "is not allowed";
  }
}

function choiceRule(error: ErrorObject): string {
  const branches = error.schema as readonly CleanSchema[];
  const constants = branches.flatMap((branch) =>
    typeof branch === "object" && "x-const" in branch ? [branch["x-const"] as { value: Json }] : [],
  );
  if (constants.length === branches.length) {
    return `must be one of: ${listed(constants.map((constant) => constant.value))}`;
  }
  return `must match ${error.keyword === "oneOf" ? "exactly one" : "one"} of the allowed forms`;
}

function typeNames(type: unknown): string {
  const names: unknown[] = Array.isArray(type) ? type : String(type).split(",");
  return names.map((name) => TYPE_NAMES.get(String(name)) ?? String(name)).join(" or ");
}

function shown(value: Json): string {
  const text = typeof value === "string" && value !== "" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function listed(values: readonly Json[]): string {
  const names = values.slice(0, MAX_LISTED).map(shown).join(", ");
  return values.length > MAX_LISTED ? `${names}, …` : names;
}
