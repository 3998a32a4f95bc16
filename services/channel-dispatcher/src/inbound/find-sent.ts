import type { Channel } from "@interlude/channel-kit";
import type { NotificationSentData } from "@interlude/contract";
import type { NotificationStore } from "@interlude/event-log";
import type { Place } from "./known-questions.ts";

/** A notification, and the conversation that it is of, as we call it. */
export type Sent = Readonly<{ sent: NotificationSentData; address: string }>;

/**
 * The notification that something done at a place is of; of its own conversation only. `wait`: the provider has not
 * said yet where it went, which it may call by another name.
 */
export async function findSent(
  { notifications }: Readonly<{ notifications: Pick<NotificationStore, "find" | "fateOf"> }>,
  channel: Channel,
  { address, saidAt }: Place,
  id: string,
): Promise<Sent | "wait" | undefined> {
  const sent = await notifications.find(id);
  if (sent?.channel !== channel.name) return undefined;
  const own = sent.address ?? sent.recipient;
  if (own === undefined) return undefined;
  if (own === address || own === saidAt) return { sent, address };
  const fate = await notifications.fateOf(id);
  if (fate === undefined) return "wait";
  return fate.kind === "delivered" && fate.address === saidAt ? { sent, address: own } : undefined;
}
