import { z } from "zod";
import { ANSWER_FORMATS, VERIFIER_NAMES } from "./ask.ts";
import { CAPS } from "./caps.ts";
import { anyObject, NameSchema, stringMap, text } from "./fields.ts";
import { FormDataSchema, FormPageSchema } from "./form-parts.ts";
import { MediaItemSchema } from "./media.ts";
import { AskOptionSchema } from "./options.ts";

const Address = text({ max: CAPS.RECIPIENT_MAX_CODE_POINTS, visible: true, noControl: true });

const AudienceSchema = text({
  max: CAPS.AUDIENCE_MAX_CODE_POINTS,
  visible: true,
  noControl: true,
}).refine((audience) => !/^group:\s*$/u.test(audience), "must name the group after group:");

/** Fields that an ask and a notification have in common. */
export const SHARED_FIELDS = {
  options: z.array(AskOptionSchema).min(1).max(CAPS.OPTIONS_MAX_ITEMS).exactOptional(),
  schema: anyObject("JSON Schema 2020-12 or draft-07").exactOptional(),
  data: FormDataSchema.exactOptional(),
  pages: z.array(FormPageSchema).min(1).max(CAPS.PAGES_MAX_ITEMS).exactOptional(),
  media: z.array(MediaItemSchema).min(1).max(CAPS.MEDIA_MAX_ITEMS).exactOptional(),
  channel: NameSchema.exactOptional(),
  recipient: Address.exactOptional(),
  audience: AudienceSchema.exactOptional(),
};

/** The fields of an ask and the rules that each has by itself. */
export const AskBodySchema = z.strictObject({
  id: z.string().exactOptional(),
  question: text({ max: CAPS.QUESTION_MAX_CODE_POINTS, visible: true }),
  answer_format: z.enum(ANSWER_FORMATS).exactOptional(),
  ...SHARED_FIELDS,
  group_id: text({ max: CAPS.GROUP_ID_MAX_CODE_POINTS, visible: true, noControl: true }).exactOptional(),
  mode: z.enum(["sync", "async"]).exactOptional(),
  timeout_seconds: z.number().min(CAPS.TIMEOUT_MIN_SECONDS).max(CAPS.TIMEOUT_MAX_SECONDS).exactOptional(),
  expiry_at: z.string().meta({ format: "date-time" }).exactOptional(),
  run: z
    .strictObject({ driver: NameSchema, run_id: text({ max: CAPS.RUN_ID_MAX_CODE_POINTS }) })
    .exactOptional(),
  link: z.string().exactOptional(),
  verifier: z
    .strictObject({ name: z.enum(VERIFIER_NAMES), config: anyObject("`secret_ref` names the secret") })
    .exactOptional(),
  on_mismatch: z.enum(["retry", "bridge"]).exactOptional(),
  mismatch_notice: text({ max: CAPS.MISMATCH_NOTICE_MAX_CODE_POINTS, visible: true }).exactOptional(),
  sensitive: z.boolean().exactOptional(),
  metadata: stringMap({
    keys: CAPS.METADATA_MAX_KEYS,
    key: { max: CAPS.METADATA_KEY_MAX_CODE_POINTS, noControl: true },
    value: { min: 0, max: CAPS.METADATA_VALUE_MAX_CODE_POINTS, noControl: true },
  }).exactOptional(),
});
export type AskBody = z.infer<typeof AskBodySchema>;
