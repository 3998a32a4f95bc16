import { z } from "zod";
import { Belonging } from "./belonging.ts";

const Delivery = { ...Belonging, channel: z.string() };

/**
 * Stored before every attempt: whoever was only paused finds that another has taken over. Of a question in several
 * messages also before each that follows, with those that are out.
 */
export const DeliveryStartedData = z.object({
  ...Delivery,
  attempt: z.number().int().positive(),
  worker: z.string(),
  message_ids: z.array(z.string()).optional(),
});
export type DeliveryStartedData = z.infer<typeof DeliveryStartedData>;

/** The provider took it. */
export const DeliveredData = z.object({
  ...Delivery,
  attempt: z.number().int().positive(),
  /** Where the provider says it went, as the channel spells it. */
  address: z.string(),
  /** Every message that shows the question, of earlier attempts too. */
  message_ids: z.array(z.string()),
  /** Of these, the ones that a person taps or replies to. */
  controls: z.array(z.string()),
  /** How it is shown: `buttons`, `select`, `numbered`, `page` and the like. */
  shape: z.string(),
  /** The options' values in the order of the numbers that the person sees. */
  numbered: z.array(z.string()).optional(),
  /** The person was asked to write first; the question itself goes out once they have. */
  opener: z.literal(true).optional(),
});
export type DeliveredData = z.infer<typeof DeliveredData>;

export const DeliveryFailedData = z.object({
  ...Delivery,
  attempt: z.number().int().positive(),
  /** `not_sent`: the provider was not reached. `unknown`: it may or may not have arrived. */
  outcome: z.enum(["rejected", "rate_limited", "not_sent", "unknown"]),
  reason: z.string(),
  /** When it is tried again; not when `final`. */
  retry_at: z.string().optional(),
  /** No further attempt is made. */
  final: z.boolean(),
  /** Messages of the question that were taken all the same. */
  message_ids: z.array(z.string()).optional(),
});
export type DeliveryFailedData = z.infer<typeof DeliveryFailedData>;
export type DeliveryOutcome = DeliveryFailedData["outcome"];

/** What the provider said of a message later. */
export const DeliveryReportedData = z.object({
  ...Delivery,
  message_id: z.string(),
  status: z.enum(["sent", "delivered", "read", "failed"]),
  /** The provider's own code of a failure. */
  code: z.string().optional(),
});
export type DeliveryReportedData = z.infer<typeof DeliveryReportedData>;
export type ReportedStatus = DeliveryReportedData["status"];

/** A reply that does not fit the question; nothing of what it says. */
export const MismatchedData = z.object({ ...Delivery, update_id: z.string(), reason: z.string() });
export type MismatchedData = z.infer<typeof MismatchedData>;

/** How the question came to a person: none of these changes its status. */
export type DeliveryEvent =
  | { type: "delivery_started"; data: DeliveryStartedData }
  | { type: "delivered"; data: DeliveredData }
  | { type: "delivery_failed"; data: DeliveryFailedData }
  | { type: "delivery_reported"; data: DeliveryReportedData }
  | { type: "mismatched"; data: MismatchedData };

export const DELIVERY_EVENTS = {
  delivery_started: DeliveryStartedData,
  delivered: DeliveredData,
  delivery_failed: DeliveryFailedData,
  delivery_reported: DeliveryReportedData,
  mismatched: MismatchedData,
} as const satisfies Record<DeliveryEvent["type"], z.ZodType>;
