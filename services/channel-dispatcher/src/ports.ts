import type { Channel, ProviderRequest, SendOutcome } from "@interlude/channel-kit";
import type { Delivery, Log, StreamName } from "@interlude/event-log";
import type { Keyring } from "@interlude/secrets";
import type { AnswerKeys, CallbackLinks, Logger, Metrics, Settings } from "@interlude/service-kit";
import type { Routes } from "./conversations/routes.ts";

export type ChannelDispatcherDeps = {
  log: Log;
  /** The channels that this process works for, by name. */
  channels: ReadonlyMap<string, Channel>;
  /** Channels whose configuration is not whole, with what is wrong; they are told of and do nothing. */
  misconfigured: ReadonlyMap<string, string>;
  /** Which drivers answer what is said over a channel and answers no question; not given: none. */
  routes?: Routes;
  /** What conversations are named and sealed with: the same as long as the deployment stands. */
  conversationKeys: Keyring;
  /** Callback pages that questions link to. */
  links: CallbackLinks;
  answerKeys: AnswerKeys;
  settings: Settings;
  logger: Logger;
  metrics: Metrics;
};

/** For what must not come twice. `taken` are always the messages that are out, by their ids. */
export type SendCare = Readonly<{
  /** Before the first of these. */
  taken: readonly string[];
  /**
   * Asked before each attempt at the message behind `taken`, when nothing is left between it and the provider. `again`:
   * an earlier attempt may have arrived, and what then may have arrived again is not sent a third time; `no`: nothing
   * may be sent.
   */
  mayBegin: (taken: readonly string[]) => Promise<"first" | "again" | "no">;
  /** Told of each attempt that left nothing with the provider. */
  onNotOut: (taken: readonly string[], outcome: SendOutcome) => Promise<void>;
}>;

/** Where messages to people are given in: those of one conversation go out one after another. */
export interface Outbox {
  /**
   * Sends, for work that is in the lane already, honouring the provider's pauses; best effort: each is tried a
   * bounded number of times and its last outcome is told. The first that does not arrive keeps the rest.
   */
  send(
    address: string,
    requests: readonly ProviderRequest[],
    care?: SendCare,
  ): Promise<readonly SendOutcome[]>;
  /** Runs `work` in the conversation's lane. */
  inLane<T>(address: string, work: () => Promise<T>): Promise<T>;
}

/** What this process reads of a partition for as long as it holds it. */
export type PartitionReader = {
  stream: StreamName;
  durable: string;
  concurrency: number;
  /**
   * Called in the log's order, and not one after another: what must not overtake goes into a lane at once. It may run
   * long; the delivery stays this process's meanwhile. A throw hands it back for later.
   */
  handle(delivery: Delivery): Promise<"done" | "held">;
};

/** A partition of a channel that this process holds the lease of. */
export type HeldPartition = {
  channel: Channel;
  partition: number;
  outbox: Outbox;
  /** Sends a question whose person had to write first, and has. To be called in the conversation's lane. */
  deliverNow(interactionId: string): Promise<void>;
  /** Aborted when this process stops or has lost the lease: nothing is begun from then on, what is under way may end. */
  stopping: AbortSignal;
  /** Aborted a while after that: what is on its way to a provider is waited for no longer. */
  cut: AbortSignal;
};

/** One of the things that are done with a partition; the service asks each for its readers when it takes one. */
export interface PartitionWork {
  readersOf(held: HeldPartition): readonly PartitionReader[];
}

/**
 * The open questions of a conversation, oldest first, on every medium; where a reply does not say what it is to, the
 * first alone is sent. Every function may be repeated, and is called in the conversation's lane.
 */
export interface FrontQueue {
  /** Gives the question its place, and tells which one is in front then; `undefined`: none, this one has gone. */
  enter(
    channel: Channel,
    address: string,
    question: { id: string; deadlineMs: number },
  ): Promise<string | undefined>;
  /** The question is over: it gives up its place. Tells which one is in front then. */
  leave(channel: Channel, address: string, interactionId: string): Promise<string | undefined>;
  /** The provider calls this conversation by another address: what comes from there is of it. */
  alias(channel: Channel, address: string, alias: string): Promise<void>;
}
