import type { FieldFault } from "./field-fault.ts";
import type { Dialect } from "./keyword-shapes.ts";
import type { LinearPattern } from "./linear-pattern.ts";

/** What the compiler is given: known keywords only, every reference local, no `$id`. */
export type CleanSchema = boolean | CleanObject;
export type CleanObject = Record<string, unknown>;

/** A place in the document where a schema stands. */
export type SchemaNode = {
  readonly pointer: string;
  readonly clean: CleanSchema;
  /** Pointers of the schemas that look at the same value as this one. */
  readonly sameValue: string[];
};

export type Reference = {
  readonly from: SchemaNode & { readonly clean: CleanObject };
  readonly keyword: "$ref" | "$dynamicRef";
  readonly text: string;
  readonly base: string;
  readonly owner: string;
};

/** What one reading of a schema collects. */
export type SchemaReading = {
  readonly dialect: Dialect;
  readonly faults: FieldFault[];
  readonly nodes: Map<string, SchemaNode>;
  /** Absolute `$id` to the pointer of the schema that bears it. */
  readonly resources: Map<string, string>;
  /** Absolute URI with `#anchor` to a pointer. */
  readonly anchors: Map<string, string>;
  readonly dynamicAnchors: string[];
  readonly references: Reference[];
  readonly patterns: Map<string, LinearPattern>;
  instructions: number;
  properties: number;
};

/** The base of a document that names none; nothing outside can have it. */
export const DOCUMENT_BASE = "schema:/document";

/** Matches the one property name that the compiler would skip. */
export const PROTOTYPE_PATTERN = "^__proto__$";

export function createReading(dialect: Dialect): SchemaReading {
  return {
    dialect,
    faults: [],
    nodes: new Map(),
    resources: new Map([[DOCUMENT_BASE, ""]]),
    anchors: new Map(),
    dynamicAnchors: [],
    references: [],
    patterns: new Map([[PROTOTYPE_PATTERN, { size: 1, test: (name: string) => name === "__proto__" }]]),
    instructions: 0,
    properties: 0,
  };
}
