import type { Channel, SendOutcome } from "@interlude/channel-kit";
import {
  channelDurable,
  channelStream,
  createInteractionStore,
  createLeaseStore,
  createMessageIndex,
  createNotificationStore,
  readDelivery,
  readNotificationDelivery,
} from "@interlude/event-log";
import { ServiceFailure, sharedAbort, uuidV7 } from "@interlude/kernel";
import { loggedDeliveries } from "./adapters/logged-deliveries.ts";
import { channelOutbox } from "./application/channel-outbox.ts";
import { createLanes } from "./application/lanes.ts";
import { deliverNotification, type NotificationDeps } from "./application/notification-work.ts";
import { outgoingQuestion } from "./application/outgoing-question.ts";
import { createPartitionKeeper, type PartitionSession } from "./application/partition-keeper.ts";
import { createQuestionWork, type QuestionDeps, type QuestionWork } from "./application/question-work.ts";
import { createSendGate } from "./application/send-gate.ts";
import { openPartitionSession } from "./partition-session.ts";
import type {
  ChannelDispatcherDeps,
  FrontQueue,
  HeldPartition,
  PartitionReader,
  PartitionWork,
} from "./ports.ts";

export interface ChannelWorker {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Partitions that this process works for. */
  readonly held: readonly number[];
  readonly waiting: number;
}

export type ChannelWorkerParts = Readonly<{
  channel: Channel;
  /** One for each time that a partition is held: what it remembers is true for as long. */
  openFront: () => FrontQueue;
  /** What else is done with each partition. */
  works: readonly PartitionWork[];
  onSend: (outcome: SendOutcome, tookMs: number) => void;
}>;

/** Sends of one channel that a process makes at a time. */
const SENDS_AT_ONCE = 8;
/** Events of a partition that wait in lanes here; the rest waits in the log. */
const QUESTIONS_AT_ONCE = 200;
/** Of what a process may take to end (10 s): what is on its way to a provider gets this much. */
const CUT_AFTER_MS = 6_000;

/** One process's part in one channel: takes its share of the partitions and works for them. */
export function createChannelWorker(deps: ChannelDispatcherDeps, parts: ChannelWorkerParts): ChannelWorker {
  const { log, logger, settings, links } = deps;
  const { channel } = parts;
  const worker = uuidV7(Date.now());
  const lanes = createLanes();
  const gate = createSendGate({ bound: SENDS_AT_ONCE, nowMs: () => performance.now() });
  const rules = {
    attempts: settings.delivery_attempts,
    backoffMs: settings.delivery_backoff_seconds * 1_000,
  };
  const leases = createLeaseStore(log);
  const onFailure = (error: unknown): void => {
    logger.warn("a channel's work fails, and is tried again", {
      channel: channel.name,
      reason: String(error),
    });
  };
  const messages = createMessageIndex(log);
  const questions: Omit<QuestionDeps, "front" | "onAlias"> = {
    channel,
    gate,
    rules,
    onFailure,
    onReceipt: (id, messageIds) => messages.add(channel.name, messageIds, id),
    language: settings.page_language,
    clock: log.clock,
    record: loggedDeliveries(createInteractionStore(log), worker, log.clock),
    onSend: parts.onSend,
    outgoing: (asked) => outgoingQuestion(channel, { ...links, baseUrl: neededBase(links.baseUrl) }, asked),
  };

  const store = createNotificationStore(log);
  const notifications = (onAlias: NotificationDeps["onAlias"]): NotificationDeps => ({
    ...{ store, onFailure, onAlias, clock: log.clock },
    // Its sender has long been told that it is on its way.
    onLost: (notification_id, reason) => {
      const where = { channel: channel.name, notification_id, reason };
      logger.warn("a notification did not reach its person", where);
    },
    links: { ...links, baseUrl: neededBase(links.baseUrl) },
  });

  function questionReader(held: HeldPartition, work: QuestionWork): PartitionReader {
    return {
      stream: channelStream("questions"),
      durable: channelDurable(channel.name, held.partition, "questions"),
      concurrency: QUESTIONS_AT_ONCE,
      async handle(delivery) {
        await work.onEvent(readDelivery(log, delivery));
        return "done";
      },
    };
  }

  function notificationReader(held: HeldPartition, onAlias: NotificationDeps["onAlias"]): PartitionReader {
    return {
      stream: channelStream("notifications"),
      durable: channelDurable(channel.name, held.partition, "notifications"),
      concurrency: QUESTIONS_AT_ONCE,
      async handle(delivery) {
        const read = readNotificationDelivery(delivery);
        if (read === undefined) return "done";
        const { sequence } = delivery;
        await deliverNotification(notifications(onAlias), held, { ...read, sequence });
        return "done";
      },
    };
  }

  function begin(partition: number, lost: AbortSignal, wasGivenBack: boolean): PartitionSession {
    const stopping = sharedAbort();
    const cut = sharedAbort();
    const stopWork = (): void => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      setTimeout(() => {
        cut.abort();
      }, CUT_AFTER_MS).unref();
    };
    lost.addEventListener("abort", stopWork, { once: true });
    const ending = { stopping: stopping.signal, cut: cut.signal };
    const outbox = channelOutbox(lanes, { channel, gate, rules, onSend: parts.onSend }, ending);
    const place = { channel, partition, outbox, ...ending };
    const front = parts.openFront();
    const onAlias = (address: string, alias: string) => front.alias(channel, address, alias);
    const work = createQuestionWork({ ...questions, front, onAlias }, place);
    const held: HeldPartition = { ...place, deliverNow: (id) => work.onWritten(id) };
    const readers = [
      questionReader(held, work),
      notificationReader(held, onAlias),
      ...parts.works.flatMap((work) => work.readersOf(held)),
    ];
    return openPartitionSession({
      ...{ log, logger, partition, readers, wasGivenBack, stopWork },
      channel: channel.name,
    });
  }

  const keeper = createPartitionKeeper({
    channel: channel.name,
    worker,
    leases,
    steadyMs: () => performance.now(),
    begin,
    onFailure,
  });
  let rounds: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();

  return {
    async start() {
      await keeper.round();
      rounds = setInterval(() => {
        round = round.then(() => keeper.round());
      }, leases.ttlMs / 3);
    },
    async stop() {
      await round;
      await keeper.stop();
      clearInterval(rounds);
      await round;
    },
    get held() {
      return keeper.held;
    },
    get waiting() {
      return lanes.size;
    },
  };
}

function neededBase(baseUrl: string | undefined): string {
  if (baseUrl !== undefined) return baseUrl;
  const message = "INTERACTIONS_PUBLIC_BASE_URL is not set";
  throw new ServiceFailure("configuration_invalid", { retry: "never", message });
}
