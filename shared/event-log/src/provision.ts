import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type StreamInfo,
} from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { ServiceFailure } from "@interlude/kernel";
import { BUCKETS } from "./bucket.ts";
import { channelConsumers, type WantedConsumer } from "./channel-durables.ts";
import type { Log } from "./connect.ts";
import { missingMediaStreams, provisionMedia } from "./media-provision.ts";
import { ESSENTIAL_FLAGS, STREAMS, type StreamSizes, wantedStreams } from "./streams.ts";

const SECOND_NS = 1_000_000_000;
/** So late at most is a deadline whose process was killed. Whoever holds on to a delivery says so every second. */
const ACK_WAIT_NS = 4 * SECOND_NS;
/** For work on a park of ten thousand questions, which is late to nobody. */
const LONG_ACK_WAIT_NS = 60 * SECOND_NS;

/** Durables, named after the service and what it reads. */
export const DURABLES = {
  expiryLifecycle: "expiry-scheduler-lifecycle",
  expiryFired: "expiry-scheduler-fired",
  resumesCompleted: "resume-coordinator-completed",
  conversationReplies: "channel-dispatcher-replies",
} as const;

function wantedConsumers(channels: readonly string[]): WantedConsumer[] {
  const common = {
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    max_deliver: -1,
  } as const;
  return [
    {
      stream: STREAMS.interactions,
      config: {
        ...common,
        durable_name: DURABLES.expiryLifecycle,
        filter_subjects: ["asked", "answered", "cancelled", "failed"].map(
          (event) => `interactions.${event}.>`,
        ),
        ack_wait: ACK_WAIT_NS,
        max_ack_pending: 20_000,
      },
    },
    {
      stream: STREAMS.timers,
      config: {
        ...common,
        durable_name: DURABLES.expiryFired,
        filter_subject: "timers.fired.*",
        ack_wait: ACK_WAIT_NS,
        max_ack_pending: 20_000,
      },
    },
    {
      stream: STREAMS.runs,
      config: {
        ...common,
        durable_name: DURABLES.resumesCompleted,
        filter_subject: "runs.resumed.>",
        ack_wait: LONG_ACK_WAIT_NS,
        max_ack_pending: 1_000,
      },
    },
    ...(channels.length === 0 ? [] : [REPLIES]),
    ...channels.flatMap(channelConsumers),
  ];
}

/** What runs of conversations came to. No conversation has a run before there is a channel. */
const REPLIES: WantedConsumer = {
  stream: STREAMS.runs,
  config: {
    durable_name: DURABLES.conversationReplies,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.New,
    max_deliver: -1,
    // Of every driver: were it those of the routes, a route that is added would miss what came before the durable knew.
    filter_subject: "runs.resumed.>",
    ack_wait: ACK_WAIT_NS,
    max_ack_pending: 256,
  },
};

/**
 * Creates or updates streams, buckets and durables, those of each of `channels` among them; repeating it changes
 * nothing. Needs an admin user.
 */
export async function provisionLog(
  log: Log,
  sizes: StreamSizes,
  channels: readonly string[] = [],
): Promise<void> {
  for (const wanted of wantedStreams(sizes)) {
    const existing = await streamInfo(log, wanted.name);
    if (existing === undefined) await log.manager.streams.add(wanted);
    else
      await log.manager.streams.update(wanted.name, {
        ...existing.config,
        ...wanted,
        ...keptSize(existing, sizes),
      });
  }
  const kvm = new Kvm(log.connection);
  for (const { name, ttlMs } of Object.values(BUCKETS)) {
    await kvm.create(name, { history: 1, replicas: sizes.replicas, ...(ttlMs === 0 ? {} : { ttl: ttlMs }) });
  }
  await provisionMedia(log, sizes.replicas);
  await inParallel(wantedConsumers(channels), (wanted) => provisionConsumer(log, wanted));
  await verifyLog(log, channels);
}

async function provisionConsumer(log: Log, { stream, config }: WantedConsumer): Promise<void> {
  const { consumers } = log.manager;
  try {
    await consumers.info(stream, config.durable_name);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.ConsumerNotFound)
      throw error;
    await consumers.add(stream, config);
    return;
  }
  await consumers.update(stream, config.durable_name, config);
}

/** A log that stands keeps its size unless another is asked for: the free disk of today says nothing of it. */
function keptSize({ config }: StreamInfo, sizes: StreamSizes) {
  const isInbound = config.name === STREAMS.inbound;
  return {
    ...(sizes.maxBytes === undefined ? { max_bytes: config.max_bytes } : {}),
    ...(isInbound && sizes.inboundRetentionDays === undefined ? { max_age: config.max_age } : {}),
  };
}

/** @throws ServiceFailure `log_unfit` with the reason, when provisioning has not run or the server dropped a flag. */
export async function verifyLog(log: Log, channels: readonly string[] = []): Promise<void> {
  for (const name of Object.values(STREAMS)) {
    const info = await streamInfo(log, name);
    if (info === undefined) throw unfit(`stream ${name} is missing`);
    const missing = ESSENTIAL_FLAGS[name].filter((flag) => info.config[flag] !== true);
    if (missing.length > 0) throw unfit(`stream ${name} lacks ${missing.join(", ")}`);
  }
  const { name: deployment } = BUCKETS.deployment;
  if ((await streamInfo(log, `KV_${deployment}`)) === undefined)
    throw unfit(`bucket ${deployment} is missing`);
  const [missingMedia] = await missingMediaStreams(log);
  if (missingMedia !== undefined) throw unfit(`stream ${missingMedia} is missing`);
  await inParallel(wantedConsumers(channels), async ({ stream, config }) => {
    await log.manager.consumers.info(stream, config.durable_name).catch((cause: unknown) => {
      throw unfit(`consumer ${config.durable_name} is missing`, cause);
    });
  });
}

/** A channel has a durable for each of its partitions and streams. */
const AT_A_TIME = 16;

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_A_TIME) {
    await Promise.all(items.slice(start, start + AT_A_TIME).map(work));
  }
}

function unfit(reason: string, cause?: unknown): ServiceFailure {
  return new ServiceFailure("log_unfit", {
    retry: "never",
    cause,
    message: `${reason}: run \`interlude provision\``,
  });
}

async function streamInfo(log: Log, name: string): Promise<StreamInfo | undefined> {
  try {
    return await log.manager.streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === 10059) return undefined;
    throw error;
  }
}

/** Bytes that the event log has, and may have; doors that add questions stop before those that end them. */
export type LogRoom = { bytes: number; maxBytes: number };

export async function logRoom(log: Log): Promise<LogRoom> {
  const { config, state } = await log.manager.streams.info(STREAMS.interactions);
  return { bytes: state.bytes, maxBytes: config.max_bytes > 0 ? config.max_bytes : Infinity };
}
