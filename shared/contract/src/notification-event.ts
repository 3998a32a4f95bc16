import type { Json } from "@interlude/kernel";
import { z } from "zod";
import { StoredMediaItem } from "./events.ts";

const JsonValue: z.ZodType<Json> = z.json();
const Option = z.union([z.string(), z.object({ value: z.string(), label: z.string().exactOptional() })]);

/** A notification as it was sent. */
export const NotificationSentData = z.object({
  notification_id: z.string(),
  sender: z.string(),
  message: z.string(),
  channel: z.string().optional(),
  recipient: z.string().optional(),
  /** The recipient as the channel spells it: which conversation the notification is part of. */
  address: z.string().optional(),
  audience: z.string().optional(),
  media: z.array(StoredMediaItem).optional(),
  options: z.array(Option).optional(),
  /** A form that nobody waits for. */
  schema: JsonValue.optional(),
  data: JsonValue.optional(),
  pages: z.array(z.object({ title: z.string(), properties: z.array(z.string()) })).optional(),
  /** What makes the address of the form's page besides the key. */
  ticket: z.object({ kid: z.string(), nonce: z.string() }).optional(),
  created_at: z.string(),
  /** SHA-256 of the canonical body, so that a repeat is told from another notification under the same key. */
  fingerprint: z.string(),
});
export type NotificationSentData = z.infer<typeof NotificationSentData>;

const Outcome = { notification_id: z.string(), channel: z.string(), at: z.string() };

/** The provider took it. */
export const NotificationDeliveredData = z.object({
  ...Outcome,
  address: z.string(),
  message_ids: z.array(z.string()),
});
export type NotificationDeliveredData = z.infer<typeof NotificationDeliveredData>;

/** Nothing more is tried. */
export const NotificationFailedData = z.object({
  ...Outcome,
  outcome: z.enum(["rejected", "rate_limited", "not_sent", "unknown"]),
  reason: z.string(),
});
export type NotificationFailedData = z.infer<typeof NotificationFailedData>;

/** What became of a notification on its channel. */
export type NotificationOutcome =
  | { type: "delivered"; data: NotificationDeliveredData }
  | { type: "delivery_failed"; data: NotificationFailedData };

/** CloudEvents `type` of a notification that was sent. */
export const NOTIFICATION_SENT = "interlude.notification.sent.v1";

/** CloudEvents `type` of what became of one, e.g. `interlude.notification.delivered.v1`. */
export function notificationCeType(type: NotificationOutcome["type"]): string {
  return `interlude.notification.${type}.v1`;
}

/**
 * Reads a stored event of a notification; `undefined`: a type or version this process does not know.
 * @throws ZodError when the data is not what its type promises.
 */
export function parseNotificationSent(ceType: string, data: unknown): NotificationSentData | undefined {
  return ceType === NOTIFICATION_SENT ? NotificationSentData.parse(data) : undefined;
}
