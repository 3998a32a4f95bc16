import Ajv, { _, type CodeKeywordDefinition, type ErrorObject, type Options } from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import { canonicalJson, type Json } from "@interlude/kernel";
import { choiceOf, type Constant } from "./constant-choices.ts";
import { FORMATS } from "./formats.ts";
import type { Dialect } from "./keyword-shapes.ts";
import { CHECK_BUDGET, SUBSCHEMA_COST } from "./limits.ts";
import type { LinearPattern } from "./linear-pattern.ts";
import type { CleanSchema } from "./schema-node.ts";

/** One check of a value would cost too much; how it is told to people is the caller's business. */
export class CheckTooCostly extends Error {
  override readonly name = "CheckTooCostly";
}

export type RawValidator = (value: Json) => readonly ErrorObject[];

type Budget = { renew(): void; spend(cost: number): void };

function createBudget(): Budget {
  let left = 0;
  return {
    renew: () => (left = CHECK_BUDGET),
    spend: (cost) => {
      left -= cost;
      if (left < 0) throw new CheckTooCostly();
    },
  };
}

/**
 * Each schema gets a compiler of its own, about 3 ms without meta-schemas: nothing is registered anywhere, so
 * schemas cannot meet, and dropping the validator drops everything (a shared one keeps each schema's scope).
 */
export function compileCleanSchema(
  schema: CleanSchema,
  dialect: Dialect,
  patterns: ReadonlyMap<string, LinearPattern>,
): RawValidator {
  const budget = createBudget();
  const options = optionsFor(patterns, budget);
  const ajv = dialect === "2020-12" ? new Ajv2020.default(options) : new Ajv.default(options);
  ajv.addKeyword(stepKeyword(budget));
  ajv.addKeyword({
    keyword: "x-const",
    schemaType: "object",
    compile: ({ value }: { value: Json }) => isOneOf([value]),
  });
  ajv.addKeyword({ keyword: "x-enum", schemaType: "array", compile: isOneOf });
  ajv.addKeyword({
    keyword: "x-any-of",
    schemaType: "array",
    compile: (branches: readonly Constant[]) => choiceOf(branches, false),
  });
  ajv.addKeyword({
    keyword: "x-one-of",
    schemaType: "array",
    compile: (branches: readonly Constant[]) => choiceOf(branches, true),
  });
  ajv.addKeyword({
    keyword: "x-unique",
    schemaType: "boolean",
    type: "array",
    compile: (isAsked: boolean) => (items: Json[]) =>
      !isAsked || new Set(items.map(canonicalJson)).size === items.length,
  });
  for (const [name, format] of FORMATS) ajv.addFormat(name, format);
  const check = ajv.compile(schema);
  return (value) => {
    budget.renew();
    return check(value) ? [] : (check.errors ?? []);
  };
}

function optionsFor(patterns: ReadonlyMap<string, LinearPattern>, budget: Budget): Options {
  const regExp = (source: string) => {
    const pattern = patterns.get(source);
    return {
      test: (text: string) => {
        budget.spend(pattern === undefined ? 0 : pattern.size * (text.length + 1));
        return pattern?.test(text) ?? false;
      },
      // The compiler keeps patterns apart by this.
      toString: () => source,
    };
  };
  return {
    strict: false,
    meta: false,
    validateSchema: false,
    allErrors: true,
    ownProperties: true,
    messages: false,
    verbose: true,
    logger: false,
    inlineRefs: false,
    multipleOfPrecision: 9,
    code: { optimize: false, regExp: Object.assign(regExp, { code: "linear" }) },
  };
}

/** Counts the work of entering a subschema, so that a schema that doubles its work at every level ends in a fault. */
function stepKeyword(budget: Budget): CodeKeywordDefinition {
  const step = (weight: number): void => {
    budget.spend(SUBSCHEMA_COST * weight);
  };
  return {
    keyword: "x-step",
    schemaType: "number",
    code(context) {
      const name = context.gen.scopeValue("func", { ref: step });
      context.gen.code(_`${name}(${Number(context.schema)})`);
    },
  };
}

function isOneOf(allowed: readonly Json[]): (value: Json) => boolean {
  const keys = new Set(allowed.map(canonicalJson));
  const holdsContainers = allowed.some((value) => typeof value === "object" && value !== null);
  return (value) =>
    (holdsContainers || typeof value !== "object" || value === null) && keys.has(canonicalJson(value));
}
