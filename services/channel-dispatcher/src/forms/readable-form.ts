import { type Form, type FormEntries, fieldsOf, toFields } from "@interlude/forms";
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

/** The same of what did not fit: as it was put in. */
export function readableEntries(form: Form, entries: FormEntries): string {
  const labels = new Map(fieldsOf(toFields(form.schema, form)).map(({ name, label }) => [name, label]));
  return entries.map(([name, value]) => `${labels.get(name) ?? name}: ${value}`).join("\n");
}
