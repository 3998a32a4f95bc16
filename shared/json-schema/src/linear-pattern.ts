import { RE2JS } from "re2js";
import type { FieldFault } from "./field-fault.ts";
import { SCHEMA_LIMITS } from "./limits.ts";

/** A pattern that matches in time linear in the text, whoever wrote it. */
export type LinearPattern = { readonly size: number; test(text: string): boolean };

export type PatternResult = { ok: true; pattern: LinearPattern } | { ok: false; reason: string };

/** Longer sources are refused unread: parsing alone is not free. */
const MAX_SOURCE_LENGTH = 8_192;

/**
 * Compiles an ECMA-262 pattern as JSON Schema means it (unanchored, by code point) with RE2, which has
 * no lookaround and no back-references, and therefore no input that makes it slow.
 */
export function compilePattern(source: string): PatternResult {
  if (source.length > MAX_SOURCE_LENGTH) return { ok: false, reason: "it is too long" };
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    const size = compiled.programSize();
    if (size > SCHEMA_LIMITS.maxPatternInstructions) return { ok: false, reason: "it repeats too much" };
    return { ok: true, pattern: { size, test: (text) => compiled.test(text) } };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

/** The fault of a pattern that cannot run in linear time or is no pattern; `undefined` when it is fine. */
export function checkRegExp(source: string): FieldFault | undefined {
  const result = compilePattern(source);
  return result.ok ? undefined : { path: "", message: `the pattern cannot be used: ${result.reason}` };
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "it is not a regular expression";
  return message.replace(/^error parsing regexp: /, "").replace(/Perl syntax/, "syntax");
}
