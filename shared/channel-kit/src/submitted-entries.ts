import type { FormData, FormPage } from "@interlude/contract";
import { fieldsOf, type FormEntries, toFields } from "@interlude/forms";
import type { JsonObject } from "@interlude/kernel";
import type { SubmittedField } from "./inbound.ts";

/** A medium's submission as a page would have sent it, so that both are typed by the same rules. */
export function submittedEntries(
  form: Readonly<{ schema: JsonObject; data?: FormData; pages?: readonly FormPage[] }>,
  submitted: Readonly<Record<string, SubmittedField>>,
): FormEntries {
  const fields = new Map(fieldsOf(toFields(form.schema, form)).map((field) => [field.name, field]));
  return Object.entries(submitted).map(([name, value]): readonly [string, string] => {
    if ("text" in value) return [name, value.text];
    const chosen = fields.get(name)?.options?.[value.choice]?.value;
    // A place that the form has not is a value that it does not take either.
    return [name, typeof chosen === "string" ? chosen : `#${value.choice}`];
  });
}
