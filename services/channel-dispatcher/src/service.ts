import type { Channel } from "@interlude/channel-kit";
import { createConversationStore } from "@interlude/event-log";
import type { Service } from "@interlude/service-kit";
import { channelsDoor } from "./adapters/channels-door.ts";
import { type HealthWatch, watchHealth } from "./channel-health.ts";
import { createInbound } from "./inbound/inbound.ts";
import { createConversations } from "./conversations/conversations.ts";
import { NO_ROUTES } from "./conversations/routes.ts";
import { loggedQueue } from "./conversations/logged-queue.ts";
import { createReplies } from "./replies/replies.ts";
import { type ChannelWorker, createChannelWorker } from "./channel-worker.ts";
import type { ChannelDispatcherDeps } from "./ports.ts";

const START_AGAIN_MS = 60_000;

/** Brings questions to people where they are, and what they say back. */
export function createChannelDispatcher(deps: ChannelDispatcherDeps): Service {
  const { log, channels, misconfigured, logger, metrics } = deps;
  const conversations = createConversationStore(log);
  const { routes = NO_ROUTES } = deps;
  const talk = createConversations({ log, routes, keyring: deps.conversationKeys, clock: log.clock });
  const inbound = createInbound(deps, conversations, talk);
  const replies = createReplies(deps, conversations, routes);
  const watches = new Map<string, HealthWatch>();
  const stopped = new AbortController();

  function workerOf(channel: Channel): ChannelWorker {
    const { name } = channel;
    const watch = watchHealth();
    watches.set(name, watch);
    const worker = createChannelWorker(deps, {
      channel,
      openFront: () => loggedQueue(conversations, deps.conversationKeys, log.clock),
      works: [inbound, replies],
      onSend: (outcome, tookMs) => {
        watch.onSend(outcome);
        metrics.sends.inc({ channel: name, outcome: outcome.kind });
        metrics.sendSeconds.observe({ channel: name }, tookMs / 1_000);
      },
    });
    metrics.channelQueues.set(name, () => worker.waiting);
    return worker;
  }

  const workers = [...channels.values()].map(workerOf);

  /** Until the provider takes our address; a channel works without, as far as it can be written to. */
  async function announce(channel: Channel): Promise<void> {
    const publicBaseUrl = deps.links.baseUrl;
    if (publicBaseUrl?.startsWith("https:") !== true || stopped.signal.aborted) return;
    const watch = watches.get(channel.name);
    try {
      await channel.start?.({ publicBaseUrl, signal: stopped.signal });
      watch?.onStart(undefined);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      watch?.onStart(reason);
      logger.warn("a provider does not take our address", { channel: channel.name, reason });
      setTimeout(() => void announce(channel), START_AGAIN_MS).unref();
    }
  }

  return {
    name: "channel-dispatcher",
    routes: [
      ...inbound.routes,
      channelsDoor(channels, misconfigured, (name) => watches.get(name)?.health ?? { status: "ok" }),
    ],
    async start() {
      for (const [channel, reason] of misconfigured) {
        logger.error("a channel is not configured as it should be, and refuses its questions", {
          channel,
          reason,
        });
      }
      await Promise.all(workers.map((worker) => worker.start()));
      if (workers.length > 0) replies.start();
      for (const channel of channels.values()) void announce(channel);
    },
    async stop() {
      stopped.abort();
      await Promise.all([replies.stop(), ...workers.map((worker) => worker.stop())]);
    },
    health: () => ({ status: log.isUp() ? "ok" : "down" }),
  };
}
