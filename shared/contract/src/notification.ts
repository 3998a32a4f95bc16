import { isJsonObject, type Json, type JsonObject } from "@interlude/kernel";
import { z } from "zod";
import { SHARED_FIELDS } from "./ask-body.ts";
import { CAPS } from "./caps.ts";
import { capFaults, fault } from "./check.ts";
import { text } from "./fields.ts";
import type { FormData, FormPage } from "./form-parts.ts";
import type { MediaContext, MediaItem } from "./media.ts";
import { type AskOption, AskOptionSchema } from "./options.ts";
import type { FieldFault, Parsed } from "./parsed.ts";
import { readFields } from "./shared-fields.ts";

export const NotificationBodySchema = z.strictObject({
  message: text({ max: CAPS.NOTIFICATION_MAX_CODE_POINTS, visible: true }),
  ...SHARED_FIELDS,
  options: z.array(AskOptionSchema).min(1).max(CAPS.NOTIFICATION_OPTIONS_MAX_ITEMS).exactOptional(),
});

export type Notification = Readonly<{
  message: string;
  channel?: string;
  recipient?: string;
  audience?: string;
  media?: readonly MediaItem[];
  schema?: JsonObject;
  data?: FormData;
  pages?: readonly FormPage[];
  options?: readonly AskOption[];
}>;

/** The feed has nobody who could fill in a form or tap a reply: those need a channel. */
const CHANNEL_ONLY = ["recipient", "schema", "options"] as const;
const SCHEMA_ONLY = ["data", "pages"] as const;

function rules(body: JsonObject): FieldFault[] {
  const has = (field: string): boolean => Object.hasOwn(body, field);
  const faults: FieldFault[] = [];
  if (!has("channel")) {
    for (const field of CHANNEL_ONLY) if (has(field)) faults.push(fault([field], "needs a channel"));
  }
  if (!has("schema")) {
    for (const field of SCHEMA_ONLY) if (has(field)) faults.push(fault([field], "needs a schema"));
  } else if (has("options")) faults.push(fault(["options"], "and schema are mutually exclusive"));
  return faults;
}

/** A notification's body by every rule that needs nothing but the body. */
export function parseNotification(body: Json, context: MediaContext = {}): Parsed<Notification> {
  if (!isJsonObject(body)) return { ok: false, faults: [fault([], "must be an object")] };
  const lists = { options: CAPS.NOTIFICATION_OPTIONS_MAX_ITEMS };
  const { value, media, faults } = readFields(NotificationBodySchema, body, context, lists);
  faults.push(...rules(body));
  if (faults.length > 0 || value === undefined) return { ok: false, faults: capFaults(faults) };
  const { media: _raw, ...rest } = value;
  return { ok: true, value: media === undefined ? rest : { ...rest, media } };
}
