import { invalid } from "../errors.ts";
import { jsonSchemaOf } from "../standard-schema.ts";

/** Only the names of the contract are changed; whatever a caller put below them is sent as it is. */
export const ASK_FIELDS = {
  question: "question",
  answerFormat: "answer_format",
  options: "options",
  schema: "schema",
  data: "data",
  pages: "pages",
  media: "media",
  groupId: "group_id",
  mode: "mode",
  timeoutSeconds: "timeout_seconds",
  expiryAt: "expiry_at",
  channel: "channel",
  recipient: "recipient",
  onMismatch: "on_mismatch",
  mismatchNotice: "mismatch_notice",
  audience: "audience",
  sensitive: "sensitive",
  metadata: "metadata",
  verifier: "verifier",
} as const;

export const NOTIFICATION_FIELDS = {
  message: "message",
  channel: "channel",
  recipient: "recipient",
  audience: "audience",
  media: "media",
  schema: "schema",
  data: "data",
  pages: "pages",
  options: "options",
} as const;

function instant(value: unknown): unknown {
  if (!(value instanceof Date)) return value;
  if (Number.isNaN(value.getTime())) throw invalid("/expiry_at", "is not a date");
  return value.toISOString();
}

/**
 * The body to send. A name that the contract does not know is refused, as the service would: dropping it would
 * silently lose a rule to a typo.
 */
export function contractBody(
  given: object,
  fields: Readonly<Record<string, string>>,
  own: readonly string[] = [],
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (own.includes(name) || value === undefined) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) throw invalid(`/${name}`, "is not a known field");
    body[field] = field === "schema" ? jsonSchemaOf(value) : instant(value);
  }
  return body;
}

/** Made once: every repetition must be the same text, or it would be another question under the same id. */
export function jsonText(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw invalid("", error instanceof Error ? error.message : "cannot be written as JSON", error);
  }
}
