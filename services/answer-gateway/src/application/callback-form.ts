import type { AskedData } from "@interlude/contract";
import type { Json } from "@interlude/kernel";
import type { Decoded, Fields } from "./callback-fields.ts";

/** A form page's fields as its question's schema types them. */
export function typeCallbackForm(asked: AskedData, fields: Fields): Decoded<Json> {
  const schema = asked.format_payload.schema;
  return { ok: false, faults: [{ path: "", message: `${fields.length} fields, ${typeof schema}` }] };
}
