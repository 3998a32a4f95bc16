import { type Form, fieldsOf, toFields } from "@interlude/forms";
import { isJsonObject, type Json, ownValue } from "@interlude/kernel";

/** What was put into a form that nobody waits for, as a person would have written it: a line for each field. */
export function readableForm(form: Form, answer: Json): string {
  if (!isJsonObject(answer)) return JSON.stringify(answer);
  return fieldsOf(toFields(form.schema, form))
    .flatMap(({ name, label }) => {
      const value = ownValue(answer, name);
      if (value === undefined) return [];
      return [`${label}: ${typeof value === "string" ? value : JSON.stringify(value)}`];
    })
    .join("\n");
}
