/** What a worker reads of each partition of its channel. */
export type ChannelReading = "questions" | "inbound" | "conversations" | "notifications";

export function channelDurable(channel: string, partition: number, what: ChannelReading): string {
  return `${channel}-${partition}-${what}`;
}
