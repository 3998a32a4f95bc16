import { partitionOf, PARTITIONS } from "@interlude/kernel";

/**
 * Where an interaction lives: `interactions.<event>.<channel>.<partition>.<id>`. Channel and partition
 * are decided when it is asked and kept for life.
 */
export type Address = { channel: string; partition: number; id: string };

export const INBOX_CHANNEL = "inbox";

/** The partition follows the conversation, so that one worker keeps its order; without a channel, the id. */
export function addressOf(id: string, channel?: string, recipient?: string): Address {
  if (channel === undefined) return { channel: INBOX_CHANNEL, partition: partitionOf(id), id };
  return { channel, partition: partitionOf(`${channel}\n${recipient ?? ""}`), id };
}

/**
 * The subject of one event and the filter of its whole history, from one place: the server does not check
 * that an expectation's filter matches the subject, and a wrong one is silently no check at all.
 */
export function interactionSubject(event: string, address: Address): { subject: string; filter: string } {
  return {
    subject: `interactions.${event}.${address.channel}.${address.partition}.${address.id}`,
    filter: historyFilter(address.id),
  };
}

export function historyFilter(id: string): string {
  return `interactions.*.*.*.${id}`;
}

/** The address out of a stored subject; `undefined` where it is not an interaction's. */
export function parseInteractionSubject(subject: string): { event: string; address: Address } | undefined {
  const [root, event, channel, partitionText, id, ...rest] = subject.split(".");
  if (root !== "interactions" || rest.length > 0) return undefined;
  if (event === undefined || channel === undefined || partitionText === undefined || id === undefined)
    return undefined;
  const partition = Number(partitionText);
  if (!Number.isInteger(partition) || partition < 0 || partition >= PARTITIONS) return undefined;
  return { event, address: { channel, partition, id } };
}
