import type { SubmittedField } from "@interlude/channel-kit";
import type { Field } from "@interlude/forms";
import type { Json } from "@interlude/kernel";

function valueOf({ control, options = [] }: Field, put: SubmittedField): Json | undefined {
  if ("choice" in put) return options[put.choice]?.value;
  return control === "checkbox" ? put.text === "true" : put.text;
}

/** A field with what the person put into it, where they have been there before: what they left empty stays so. */
export function filled(field: Field, place: number, fields: readonly SubmittedField[] | undefined): Field {
  if (fields === undefined) return field;
  const { prefill: _, ...empty } = field;
  const put = fields.find((each) => each.place === place);
  const value = put === undefined ? undefined : valueOf(field, put);
  return value === undefined ? empty : { ...empty, prefill: value };
}
