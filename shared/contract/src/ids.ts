import { CAPS } from "./caps.ts";
import type { FieldFault } from "./parsed.ts";
import { codePoints } from "./text.ts";

const CALLER_ID = new RegExp(`^[A-Za-z0-9_-]{${CAPS.ID_MIN_CHARS},${CAPS.ID_MAX_CHARS}}$`);
const DERIVED = /^[krx]_/;
/** Ids stand in paths beside these. */
const TAKEN: ReadonlySet<string> = new Set(["callback", "reservations"]);
const NAME = new RegExp(`^[A-Za-z0-9_-]{1,${CAPS.NAME_MAX_CHARS}}$`);

/** What is wrong with an interaction id, to be read after the field's name; derived prefixes apart. */
export function idShapeFault(id: string): string | undefined {
  if (!CALLER_ID.test(id)) {
    return `must be ${CAPS.ID_MIN_CHARS} to ${CAPS.ID_MAX_CHARS} characters of A-Z, a-z, 0-9, _ and -`;
  }
  return TAKEN.has(id) ? "is a reserved word" : undefined;
}

/** What is wrong with an id that a caller chose: its shape, or that it could be taken for a derived one. */
export function checkCallerId(id: string): string | undefined {
  return idShapeFault(id) ?? (DERIVED.test(id) ? "must not begin with k_, r_ or x_" : undefined);
}

/** What is wrong with an `Idempotency-Key`; a request without one has nothing wrong with it. */
export function idempotencyKeyFault(key: string | undefined): FieldFault | undefined {
  const max = CAPS.IDEMPOTENCY_KEY_MAX_CHARS;
  if (key === undefined || (key !== "" && codePoints(key) <= max)) return undefined;
  return { path: "Idempotency-Key", message: `Idempotency-Key must have 1 to ${max} characters` };
}

/** Names of channels and drivers. */
export function isName(name: string): boolean {
  return NAME.test(name);
}
