import type { Channel, SendOutcome } from "@interlude/channel-kit";
import type { AskedData } from "@interlude/contract";
import {
  channelDurable,
  channelStream,
  type ConversationStore,
  createInboundStore,
  createInteractionStore,
  createMessageIndex,
  createNotificationStore,
  handleCommand,
  inboundPlace,
  inboundSubject,
  readInboundDelivery,
} from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { createRateLimiter, type Route } from "@interlude/service-kit";
import { formPageDoors } from "../forms/form-page-doors.ts";
import { findSentForm, pageMessage } from "../forms/sent-form.ts";
import { placeOf } from "../conversations/logged-queue.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { loggedDeliveries } from "../adapters/logged-deliveries.ts";
import type { ChannelDispatcherDeps, HeldPartition, PartitionReader, PartitionWork } from "../ports.ts";
import { answerByReply, wasAnswered } from "./answer-by-reply.ts";
import { decideNow } from "./decide-now.ts";
import { handleStatus } from "./handle-status.ts";
import { handleInbound, type InboundDeps, lookAgainAfterMs } from "./inbound-work.ts";
import { openUpdate, recordUpdate } from "./record-update.ts";
import { webhookDoors } from "./webhook-doors.ts";

export type Inbound = PartitionWork & { routes: readonly Route[] };

/** Updates of a partition that are looked at side by side. */
const UPDATES_AT_ONCE = 100;

const countSend =
  (metrics: ChannelDispatcherDeps["metrics"]) =>
  (channel: string, outcome: SendOutcome): void => {
    metrics.sends.inc({ channel, outcome: outcome.kind });
  };

/** What comes in: kept by the doors, and decided by whoever holds the partition of its conversation. */
export function createInbound(
  deps: ChannelDispatcherDeps,
  conversations: ConversationStore,
  talk: Conversations,
): Inbound {
  const { log, links, conversationKeys: keyring, answerKeys, logger, metrics, settings } = deps;
  const { clock } = log;
  const store = createInteractionStore(log);
  const inbound = createInboundStore(log);
  const messages = createMessageIndex(log);
  const onIgnored = (channel: string, reason: string): void => {
    metrics.inboundIgnored.inc({ channel, reason });
    logger.info("an update came to nothing", { channel, reason });
  };
  const recording = { inbound, conversations, keyring, clock, onIgnored };

  const onFailure = (error: unknown): void => {
    logger.warn("what a person said waits, and is looked at again", { reason: String(error) });
  };
  async function forget(
    { channel = "" }: AskedData,
    { address, updateId }: { address: string; updateId: string },
  ): Promise<void> {
    const { partition } = placeOf(keyring, channel, address);
    await inbound.forget(inboundPlace(channel, partition, updateId));
  }

  const work: InboundDeps = {
    ...{ conversations, keyring, clock, onIgnored, onFailure, talk, language: settings.page_language },
    record: loggedDeliveries(store, "inbound", clock),
    links: { ...links, baseUrl: links.baseUrl ?? "" },
    notifications: createNotificationStore(log),
    questionOf: (channel, messageId) => messages.find(channel, messageId),
    onReceipt: (channel, messageIds, id) => messages.add(channel, messageIds, id),
    onStatus: (channel, status) => handleStatus({ store, messages, clock }, channel, status),
    answer: (answer) => answerByReply({ store, answerKeys, clock, forget }, answer),
    forget,
    async kept(channel, address, updateId) {
      const { partition } = placeOf(keyring, channel, address);
      const entry = (await inbound.find(inboundSubject(inboundPlace(channel, partition, updateId))))?.entry;
      if (entry === undefined || "unknownType" in entry) return undefined;
      const received = openUpdate(keyring, entry.sealed);
      return received?.address === address ? received.update : undefined;
    },
    wasAnswered: (reply) => wasAnswered({ store, answerKeys, forget }, reply),
    async mismatched(id, updateId, reason) {
      const command = { type: "RecordMismatch", updateId, reason, nowMs: clock.nowMs() } as const;
      await handleCommand(store, id, command, () => clock.nowMs());
    },
  };

  async function take(channel: Channel, update: Parameters<typeof recordUpdate>[2], withinMs: number) {
    const received = await recordUpdate(recording, channel, update);
    if (received === undefined) return undefined;
    return decideNow({ ...work, onSend: countSend(metrics) }, channel, received, withinMs);
  }

  function reader(held: HeldPartition): PartitionReader {
    return {
      stream: channelStream("inbound"),
      durable: channelDurable(held.channel.name, held.partition, "inbound"),
      concurrency: UPDATES_AT_ONCE,
      async handle(delivery) {
        const received = readInboundDelivery(delivery);
        if ((await handleInbound(work, held, received, delivery.redelivered)) === "done") return "done";
        delivery.nak(lookAgainAfterMs(held.stopping.aborted ? 0 : clock.nowMs() - received.storedAtMs));
        return "held";
      },
    };
  }

  const formPages = formPageDoors({
    ...{ keyring: links.keyring, logger, language: settings.page_language },
    limiter: createRateLimiter({
      perMinute: settings.callback_rate_per_minute,
      nowMs: () => performance.now(),
    }),
    find: (ticket) => findSentForm(work, ticket),
    async say(form, text, submission) {
      const channel = deps.channels.get(form.channel);
      if (channel === undefined) throw new ServiceFailure("configuration_invalid", { retry: "later" });
      await recordUpdate(recording, channel, pageMessage(form, text, submission, clock.nowMs()));
    },
  });

  return {
    routes: [...webhookDoors({ channels: deps.channels, clock, logger, take }), ...formPages],
    readersOf: (held) => [reader(held)],
  };
}
