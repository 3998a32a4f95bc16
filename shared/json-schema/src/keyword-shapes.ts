/** What a keyword's value must look like. */
export type KeywordShape =
  | "any"
  | "boolean"
  | "count"
  | "dependencies"
  | "format"
  | "items"
  | "list"
  | "names"
  | "namesByProperty"
  | "number"
  | "pattern"
  | "positive"
  | "schema"
  | "schemaByPattern"
  | "schemaByProperty"
  | "schemaList"
  | "text"
  | "type";

export type Dialect = "draft-07" | "2020-12";

const COMMON: readonly (readonly [string, KeywordShape])[] = [
  ["type", "type"],
  ["enum", "list"],
  ["const", "any"],
  ["multipleOf", "positive"],
  ["maximum", "number"],
  ["exclusiveMaximum", "number"],
  ["minimum", "number"],
  ["exclusiveMinimum", "number"],
  ["maxLength", "count"],
  ["minLength", "count"],
  ["pattern", "pattern"],
  ["format", "format"],
  ["maxItems", "count"],
  ["minItems", "count"],
  ["uniqueItems", "boolean"],
  ["contains", "schema"],
  ["maxProperties", "count"],
  ["minProperties", "count"],
  ["required", "names"],
  ["properties", "schemaByProperty"],
  ["patternProperties", "schemaByPattern"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["dependencies", "dependencies"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["allOf", "schemaList"],
  ["anyOf", "schemaList"],
  ["oneOf", "schemaList"],
  ["not", "schema"],
  ["definitions", "schemaByProperty"],
  ["$defs", "schemaByProperty"],
  ["title", "text"],
  ["description", "text"],
  ["$comment", "text"],
];

const DRAFT_07: readonly (readonly [string, KeywordShape])[] = [
  ["items", "items"],
  ["additionalItems", "schema"],
];

const DRAFT_2020: readonly (readonly [string, KeywordShape])[] = [
  ["items", "schema"],
  ["prefixItems", "schemaList"],
  ["minContains", "count"],
  ["maxContains", "count"],
  ["dependentRequired", "namesByProperty"],
  ["dependentSchemas", "schemaByProperty"],
  ["unevaluatedItems", "schema"],
  ["unevaluatedProperties", "schema"],
];

/** Keywords that mean something; all others are ignored, a typo like `min` as much as `x-order`. */
export const KEYWORDS: Readonly<Record<Dialect, ReadonlyMap<string, KeywordShape>>> = {
  "draft-07": new Map([...COMMON, ...DRAFT_07]),
  "2020-12": new Map([...COMMON, ...DRAFT_2020]),
};

/** Read and checked, but of no consequence for a value; definitions count only where a `$ref` names them. */
export const SILENT: ReadonlySet<string> = new Set([
  "title",
  "description",
  "$comment",
  "definitions",
  "$defs",
]);

/** Keywords whose subschemas look at the same value as their owner: the ways to recurse without end. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
]);
