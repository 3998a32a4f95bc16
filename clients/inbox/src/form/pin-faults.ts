import type { FieldFault } from "../api/http.ts";
import { fieldAt, tokensOf } from "./check.ts";
import type { Field } from "./field.ts";
import { pointerTo, type Fault } from "./read-draft.ts";

const BODY = "/answer";

/** The nearest field that is on the page: a fault inside a JSON box belongs to the box. */
function nearest(form: Field, pointer: string): string {
  let tokens = tokensOf(pointer);
  while (tokens.length > 0) {
    const field = fieldAt(form, tokens);
    if (field !== undefined) break;
    tokens = tokens.slice(0, -1);
  }
  return tokens.reduce(pointerTo, "");
}

/** The server's faults point into the request's body, whose `answer` is the form. */
export function pinFaults(form: Field, faults: readonly FieldFault[]): Fault[] {
  return faults.map(({ path, message }) => ({
    pointer: nearest(form, path.startsWith(BODY) ? path.slice(BODY.length) : path),
    message,
  }));
}
