import { partitionOf, PARTITIONS, ServiceFailure } from "@interlude/kernel";

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

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Whether a text can be an interaction's id. In a subject, any other would name other questions (`*`, `>`)
 * or another place (`a.b`): what is asked for from outside is looked at before it is put into one.
 */
export function isInteractionId(text: string): boolean {
  return ID.test(text);
}

/** @throws ServiceFailure for a text that is no id, which callers look at first. */
export function historyFilter(id: string): string {
  if (!isInteractionId(id)) throw new ServiceFailure("invariant_broken", { retry: "never", context: { id } });
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
