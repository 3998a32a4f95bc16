import type { Json } from "@interlude/kernel";
import { z } from "zod";
import { Belonging } from "./belonging.ts";
import { DELIVERY_EVENTS, type DeliveryEvent } from "./delivery-events.ts";

/** A value that came from a parsed body and is stored as it came. */
const JsonValue: z.ZodType<Json> = z.json();
const Instant = z.string();

/** Media as an event keeps it: bytes given inline have become references. */
export const StoredMediaItem = z.object({
  kind: z.enum(["image", "document", "video", "audio", "link"]),
  url: z.string(),
  caption: z.string().optional(),
  filename: z.string().optional(),
});

const Option = z.union([z.string(), z.object({ value: z.string(), label: z.string().exactOptional() })]);

const FormatPayload = z.object({
  options: z.array(Option).optional(),
  schema: JsonValue.optional(),
  data: JsonValue.optional(),
  pages: z.array(z.object({ title: z.string(), properties: z.array(z.string()) })).optional(),
});

/** What makes a ticket besides the key: kept here so that it can be made again, and not outlive its question. */
const TicketSeed = z.object({ kid: z.string(), nonce: z.string() });

const RunName = z.object({ driver: z.string(), run_id: z.string() });
export type RunName = z.infer<typeof RunName>;

/**
 * A question as it was asked. `link` is stored with the callback URL cut out, and no secret stands in
 * `verifier` (it names one): nothing here can be used to answer.
 */
export const AskedData = z.object({
  interaction_id: z.string(),
  asker: z.string(),
  asker_groups: z.array(z.string()).optional(),
  group_id: z.string(),
  question: z.string(),
  answer_format: z.enum(["text", "confirm", "select", "form", "external"]),
  format_payload: FormatPayload,
  mode: z.enum(["sync", "async"]),
  created_at: Instant,
  timeout_at: Instant,
  expiry_at: Instant.optional(),
  /** Which run an async question is for: its end lets the run go on. */
  run: RunName.optional(),
  /** Which run a sync question was asked in, by the token of its claim; the token of another run does not read it. */
  asked_in: RunName.optional(),
  link: z.string().optional(),
  verifier: z.object({ name: z.string(), config: z.record(z.string(), JsonValue) }).optional(),
  ticket: TicketSeed.optional(),
  channel: z.string().optional(),
  recipient: z.string().optional(),
  /** The recipient as the channel spells it: which conversation the question is part of. */
  address: z.string().optional(),
  on_mismatch: z.enum(["retry", "bridge"]).optional(),
  mismatch_notice: z.string().optional(),
  audience: z.string().optional(),
  media: z.array(StoredMediaItem).optional(),
  sensitive: z.boolean(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** SHA-256 of the canonical body, so that a repeat is told from another question under the same id. */
  fingerprint: z.string(),
});
export type AskedData = z.infer<typeof AskedData>;

export const AnsweredData = z.object({
  ...Belonging,
  /** Exactly one of `answer` and `sealed`. */
  answer: JsonValue.optional(),
  /** AES-256-GCM over the JSON of `{answer, params}`; the key is elsewhere, and deleting it shreds the answer. */
  sealed: z.string().optional(),
  params: z.record(z.string(), z.string()).optional(),
  answered_by: z.string(),
  /** By which way it came: what came by `callback` or `channel` is untrusted input to its consumers. */
  via: z.enum(["door", "callback", "channel"]),
  /**
   * Lets a repeat of the same request by the same subject be told from a second answer. Of a sensitive answer,
   * `key` and `fingerprint` are keyed with the key it is sealed by, and mean nothing once that is deleted.
   */
  request: z.object({ subject: z.string(), key: z.string(), fingerprint: z.string() }).optional(),
});
export type AnsweredData = z.infer<typeof AnsweredData>;

export const ExpiredData = z.object({ ...Belonging });
export type ExpiredData = z.infer<typeof ExpiredData>;

export const CancelledData = z.object({
  ...Belonging,
  cancelled_by: z.string(),
  reason: z.string().optional(),
});
export type CancelledData = z.infer<typeof CancelledData>;

export const FailedData = z.object({
  ...Belonging,
  reason: z.string(),
  /** It could not be brought to anybody. */
  delivery: z.literal(true).optional(),
});
export type FailedData = z.infer<typeof FailedData>;

/** What ends a question. */
export type EndEvent =
  | { type: "answered"; data: AnsweredData }
  | { type: "expired"; data: ExpiredData }
  | { type: "cancelled"; data: CancelledData }
  | { type: "failed"; data: FailedData };

/** What makes and ends a question; nothing else changes its status. */
export type QuestionEvent = { type: "asked"; data: AskedData } | EndEvent;

export type InteractionEvent = QuestionEvent | DeliveryEvent;

export type InteractionEventType = InteractionEvent["type"];

/** The types that end an interaction. */
export const END_TYPES = ["answered", "expired", "cancelled", "failed"] as const;
export type EndType = (typeof END_TYPES)[number];

/** Whether it says how the question came to a person, which makes no difference to its status. */
export function isDeliveryEvent(event: InteractionEvent): event is DeliveryEvent {
  return event.type in DELIVERY_EVENTS;
}

const PREFIX = "interlude.interaction.";

/** CloudEvents `type` of an interaction's event, e.g. `interlude.interaction.answered.v1`. */
export function interactionCeType(type: InteractionEventType): string {
  return `${PREFIX}${type}.v1`;
}

/**
 * Reads a stored event. `undefined` means a type or version this process does not know: a projection
 * skips and counts it, a decider must not decide past it.
 * @throws ZodError when the data is not what its type promises.
 */
export function parseInteractionEvent(ceType: string, data: unknown): InteractionEvent | undefined {
  switch (ceType) {
    case "interlude.interaction.asked.v1":
      return { type: "asked", data: AskedData.parse(data) };
    case "interlude.interaction.answered.v1":
      return { type: "answered", data: AnsweredData.parse(data) };
    case "interlude.interaction.expired.v1":
      return { type: "expired", data: ExpiredData.parse(data) };
    case "interlude.interaction.cancelled.v1":
      return { type: "cancelled", data: CancelledData.parse(data) };
    case "interlude.interaction.failed.v1":
      return { type: "failed", data: FailedData.parse(data) };
    case "interlude.interaction.delivery_started.v1":
      return { type: "delivery_started", data: DELIVERY_EVENTS.delivery_started.parse(data) };
    case "interlude.interaction.delivered.v1":
      return { type: "delivered", data: DELIVERY_EVENTS.delivered.parse(data) };
    case "interlude.interaction.delivery_failed.v1":
      return { type: "delivery_failed", data: DELIVERY_EVENTS.delivery_failed.parse(data) };
    case "interlude.interaction.delivery_reported.v1":
      return { type: "delivery_reported", data: DELIVERY_EVENTS.delivery_reported.parse(data) };
    case "interlude.interaction.mismatched.v1":
      return { type: "mismatched", data: DELIVERY_EVENTS.mismatched.parse(data) };
    default:
      return undefined;
  }
}
