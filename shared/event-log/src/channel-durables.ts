import { AckPolicy, type ConsumerConfig, DeliverPolicy } from "@nats-io/jetstream";
import { PARTITIONS } from "@interlude/kernel";
import { type StreamName, STREAMS } from "./streams.ts";

/** What a worker reads of each partition of its channel. */
export const CHANNEL_READINGS = ["questions", "inbound", "conversations", "notifications"] as const;
export type ChannelReading = (typeof CHANNEL_READINGS)[number];

const SECOND_NS = 1_000_000_000;
/** Whoever holds on to a delivery says so while it lives; of a process that does not, it comes back after this. */
const ACK_WAIT_NS = 12 * SECOND_NS;
const MAX_ACK_PENDING = 1_000;

const STREAM_OF: Readonly<Record<ChannelReading, StreamName>> = {
  questions: STREAMS.interactions,
  inbound: STREAMS.inbound,
  conversations: STREAMS.conversations,
  notifications: STREAMS.notifications,
};

/** The durable of a partition, in the stream of `channelStream`. */
export function channelDurable(channel: string, partition: number, what: ChannelReading): string {
  return `${channel}-${partition}-${what}`;
}

export function channelStream(what: ChannelReading): StreamName {
  return STREAM_OF[what];
}

export type WantedConsumer = {
  stream: StreamName;
  config: Partial<ConsumerConfig> & { durable_name: string };
};

/** The durables of a channel: one a partition and stream, so that a partition is one worker's as a whole. */
export function channelConsumers(channel: string): WantedConsumer[] {
  return Array.from({ length: PARTITIONS }, (_, partition) =>
    CHANNEL_READINGS.map((what) => ({
      stream: STREAM_OF[what],
      config: {
        durable_name: channelDurable(channel, partition, what),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        max_deliver: -1,
        ack_wait: ACK_WAIT_NS,
        max_ack_pending: MAX_ACK_PENDING,
        ...subjectsOf(what, channel, partition),
      },
    })),
  ).flat();
}

function subjectsOf(what: ChannelReading, channel: string, partition: number): Partial<ConsumerConfig> {
  const place = `${channel}.${partition}`;
  switch (what) {
    case "questions":
      return { filter_subject: `interactions.*.${place}.>` };
    case "inbound":
      return { filter_subject: `inbound.${place}.*` };
    case "conversations":
      // A list of one: it stands in the place of the longer one of earlier versions.
      return { filter_subjects: [`conversations.reply_due.${place}.*`] };
    case "notifications":
      return { filter_subject: `notifications.requested.${place}.*` };
  }
}
