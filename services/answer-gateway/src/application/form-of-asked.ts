import type { AskedData } from "@interlude/contract";
import { effectiveSchema, type Form } from "@interlude/forms";
import type { Json } from "@interlude/kernel";
import { z } from "zod";

/** As the asker's body was checked before it was stored. */
const StoredData = z.object({
  values: z.record(z.string(), z.json()).exactOptional(),
  options: z
    .record(z.string(), z.array(z.object({ value: z.string(), label: z.string().exactOptional() })))
    .exactOptional(),
});

/** The form a question was asked with; `undefined` where it carries no schema. */
export function formOf({ format_payload: { schema, data, pages } }: AskedData): Form | undefined {
  if (schema === undefined) return undefined;
  return {
    schema,
    ...(data === undefined ? {} : { data: StoredData.parse(data) }),
    ...(pages === undefined ? {} : { pages }),
  };
}

/** What an answer must fit; `undefined` where any will do. */
export function schemaOfAnswer(asked: AskedData): Json | undefined {
  const form = formOf(asked);
  return form === undefined ? undefined : effectiveSchema(form.schema, form.data);
}
