import { isJsonObject, type Json } from "@interlude/kernel";
import type { Ask } from "./ask.ts";
import { type AskBody, AskBodySchema } from "./ask-body.ts";
import { askRules, type ReservationCheck } from "./ask-rules.ts";
import { capFaults, fault } from "./check.ts";
import type { MediaItem } from "./media.ts";
import type { Parsed } from "./parsed.ts";
import { readFields } from "./shared-fields.ts";

export type AskContext = Readonly<{
  publicBaseUrl?: string | undefined;
  /** Whether an id is a reservation's own: such an id may begin with `r_`, and its link may be a finished one. */
  isReservation?: ReservationCheck;
}>;

/** Keeps a field only where there is one: absent is how the contract says "not given". */
function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  // A computed key widens to an index signature, which is why the type has to be said.
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}

function common(body: AskBody, media: readonly MediaItem[] | undefined) {
  return {
    ...given("id", body.id),
    question: body.question,
    ...given("media", media),
    ...given("group_id", body.group_id),
    ...given("audience", body.audience),
    sensitive: body.sensitive ?? false,
    ...given("metadata", body.metadata),
  };
}

function delivery(body: AskBody) {
  if (body.channel === undefined) return {};
  return {
    channel: body.channel,
    ...given("recipient", body.recipient),
    on_mismatch: body.on_mismatch ?? ("retry" as const),
    ...given("mismatch_notice", body.mismatch_notice),
  };
}

function timing(body: AskBody) {
  if (body.mode === "async" && body.expiry_at !== undefined && body.run !== undefined) {
    return { mode: "async" as const, expiry_at: body.expiry_at, run: body.run };
  }
  return { mode: "sync" as const, ...given("timeout_seconds", body.timeout_seconds) };
}

function shape(body: AskBody, media: readonly MediaItem[] | undefined): Parsed<Ask> {
  const base = { ...common(body, media), ...delivery(body), ...timing(body) };
  switch (body.answer_format) {
    case undefined:
    case "text":
      return { ok: true, value: { ...base, answer_format: "text", ...given("options", body.options) } };
    case "confirm":
      return { ok: true, value: { ...base, answer_format: "confirm" } };
    case "select":
      if (body.options === undefined) break;
      return { ok: true, value: { ...base, answer_format: "select", options: body.options } };
    case "form": {
      if (body.schema === undefined) break;
      const parts = { ...given("data", body.data), ...given("pages", body.pages) };
      return { ok: true, value: { ...base, answer_format: "form", schema: body.schema, ...parts } };
    }
    case "external": {
      const parts = { ...given("schema", body.schema), ...given("link", body.link) };
      return {
        ok: true,
        value: { ...base, answer_format: "external", ...parts, ...given("verifier", body.verifier) },
      };
    }
  }
  return { ok: false, faults: [fault([], "is not a complete question")] };
}

const NO_RESERVATION: ReservationCheck = () => false;

/**
 * An ask's body by every rule that needs nothing but the body. What depends on time, settings,
 * registrations, stored media or the compiled schema is for the caller to check after it.
 */
export function parseAsk(body: Json, context: AskContext = {}): Parsed<Ask> {
  if (!isJsonObject(body)) return { ok: false, faults: [fault([], "must be an object")] };
  const { value, media, faults } = readFields(AskBodySchema, body, context);
  faults.push(...askRules(body, context.isReservation ?? NO_RESERVATION));
  if (faults.length > 0 || value === undefined) return { ok: false, faults: capFaults(faults) };
  return shape(value, media);
}
