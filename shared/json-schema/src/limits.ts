/** What a schema may cost, checked before anything is compiled or stored. */
export const SCHEMA_LIMITS = {
  maxBytes: 64 * 1024,
  maxDepth: 32,
  maxProperties: 1_000,
  /** Of one `anyOf` or `oneOf`, unless they are constants. */
  maxBranches: 200,
  /** RE2 instructions of one pattern: matching costs at most this times the text's length. */
  maxPatternInstructions: 2_500,
  /** RE2 instructions of all patterns of one schema: compiling them takes about 20 µs each. */
  maxInstructions: 20_000,
} as const;

/** Deeper values are refused by every JSON door; checking one here would only risk the stack. */
export const MAX_VALUE_DEPTH = 100;

/** What one check of a value may cost, in RE2 steps; about a second on a slow core. */
export const CHECK_BUDGET = 30_000_000;
/** What entering one subschema costs in the same unit. */
export const SUBSCHEMA_COST = 100;
