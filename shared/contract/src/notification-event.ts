import { z } from "zod";
import { StoredMediaItem } from "./events.ts";

/** A notification as it was sent. */
export const NotificationSentData = z.object({
  notification_id: z.string(),
  sender: z.string(),
  message: z.string(),
  channel: z.string().optional(),
  recipient: z.string().optional(),
  audience: z.string().optional(),
  media: z.array(StoredMediaItem).optional(),
  created_at: z.string(),
  /** SHA-256 of the canonical body, so that a repeat is told from another notification under the same key. */
  fingerprint: z.string(),
});
export type NotificationSentData = z.infer<typeof NotificationSentData>;

/** CloudEvents `type` of a notification that was sent. */
export const NOTIFICATION_SENT = "interlude.notification.sent.v1";

/**
 * Reads a stored event of a notification; `undefined`: a type or version this process does not know.
 * @throws ZodError when the data is not what its type promises.
 */
export function parseNotificationSent(ceType: string, data: unknown): NotificationSentData | undefined {
  return ceType === NOTIFICATION_SENT ? NotificationSentData.parse(data) : undefined;
}
