import type { FormData, FormPage } from "@interlude/contract";
import { fieldsOf, type FormEntries, toFields } from "@interlude/forms";
import type { JsonObject } from "@interlude/kernel";
import type { SubmittedField } from "./inbound.ts";

/** A medium's submission as a page would have sent it, so that both are typed by the same rules. */
export function submittedEntries(
  form: Readonly<{ schema: JsonObject; data?: FormData; pages?: readonly FormPage[] }>,
  submitted: readonly SubmittedField[],
): FormEntries {
  const fields = fieldsOf(toFields(form.schema, form));
  return submitted.map((sent): readonly [string, string] => {
    const field = fields[sent.place];
    // A place that the form has not is a field or a value that it does not take either.
    if (field === undefined) return [`#${sent.place}`, ""];
    if ("text" in sent) return [field.name, sent.text];
    const chosen = field.options?.[sent.choice]?.value;
    return [field.name, typeof chosen === "string" ? chosen : `#${sent.choice}`];
  });
}
