import {
  channelDurable,
  channelStream,
  type ConversationStore,
  createTurnStore,
  readConversationDelivery,
  runResults,
} from "@interlude/event-log";
import { uuidV7 } from "@interlude/kernel";
import type { Routes } from "../conversations/routes.ts";
import type { ChannelDispatcherDeps, HeldPartition, PartitionReader, PartitionWork } from "../ports.ts";
import { dueReply, type DueRepliesDeps } from "./due-replies.ts";
import { followResults } from "./follow-results.ts";
import { postReply } from "./post-reply.ts";
import { replyRecord } from "./reply-record.ts";

export type Replies = PartitionWork & { start(): void; stop(): Promise<void> };

/** Replies of a partition that wait in lanes here. */
const REPLIES_AT_ONCE = 100;

/** What runs have to say in conversations: made due by whoever comes first, and said by who holds the partition. */
export function createReplies(
  deps: ChannelDispatcherDeps,
  conversations: ConversationStore,
  routes: Routes,
): Replies {
  const { log, conversationKeys: keyring, logger, metrics } = deps;
  const record = replyRecord(conversations, uuidV7(Date.now()), log.clock);
  const onFailure = (error: unknown): void => {
    logger.warn("a reply waits, and is tried again", { reason: String(error) });
  };
  const due: DueRepliesDeps = {
    ...{ routes, record, keyring, onFailure, turns: createTurnStore(log) },
    onIgnored(channel, reason) {
      metrics.inboundIgnored.inc({ channel, reason });
      logger.warn("what a run came to is not said", { channel, reason });
    },
  };
  const posting = {
    ...{ record, keyring, onFailure },
    onLost(channel: string, reason: string) {
      logger.warn("a reply did not reach its person", { channel, reason });
    },
  };
  let following: ReturnType<typeof followResults> | undefined;

  function reader(held: HeldPartition): PartitionReader {
    return {
      stream: channelStream("conversations"),
      durable: channelDurable(held.channel.name, held.partition, "conversations"),
      concurrency: REPLIES_AT_ONCE,
      async handle(delivery) {
        const { address, entry } = readConversationDelivery(delivery);
        if ("type" in entry && entry.type === "reply_due")
          await postReply(posting, held, address, entry.data);
        return "done";
      },
    };
  }

  return {
    readersOf: (held) => [reader(held)],
    start() {
      following = followResults({
        ...{ log, onFailure, results: runResults(log), drivers: routes.drivers },
        handle: (stored) => dueReply(due, stored),
      });
    },
    async stop() {
      await following?.stop();
    },
  };
}
