import {
  createDriverStore,
  createInteractionStore,
  createMediaStore,
  createNotificationStore,
  type Log,
  logRoom,
  type Tail,
} from "@interlude/event-log";
import type {
  AnswerKeys,
  CallbackLinks,
  Logger,
  Service,
  Settings,
  Waiters,
  WaitSlots,
} from "@interlude/service-kit";
import { askDoors } from "./adapters/ask-doors.ts";
import { createDeliveryWatch } from "./adapters/delivery-watch.ts";
import { notifyDoor } from "./adapters/notify-door.ts";
import { storedAskMedia } from "./adapters/stored-ask-media.ts";
import { createRoomWatch } from "./application/room-watch.ts";
import { type CountSource, createOpenAsks } from "./application/open-asks.ts";
import type { ChannelChoice } from "./application/ask-channel.ts";
import { createQueuedAsks, type QueueSource } from "./application/queued-asks.ts";
import { createKeySweeping } from "./key-sweeping.ts";

export type AskerDeps = ChannelChoice & {
  log: Log;
  tail: Tail;
  waiters: Waiters;
  /** Shared with every other door of the process that waits. */
  waitSlots: WaitSlots;
  answerKeys: AnswerKeys;
  links: CallbackLinks;
  settings: Settings;
  logger: Logger;
  hasSecret: (name: string) => boolean;
  /** How many questions of a subject are open, by the read model. */
  countOpen: CountSource;
  /** Which questions wait for a person, by the read model. */
  findQueued: QueueSource;
  sweepKeysEveryMs?: number;
};

/** Takes questions: refuses before anything is stored, and stores each once. */
export function createAsker(deps: AskerDeps): Service {
  const { log, tail, logger } = deps;
  const openAsks = createOpenAsks(deps.countOpen, () => performance.now());
  const room = createRoomWatch(
    () => logRoom(log),
    (fullness) => {
      logger.warn("the event log is nearly full; questions are refused", { fullness });
    },
  );
  let unsubscribe: (() => void) | undefined;

  const media = createMediaStore(log);
  const drivers = createDriverStore(log);
  const { answerKeys, sweepKeysEveryMs: everyMs } = deps;
  const sweeping = createKeySweeping({ log, answerKeys, logger, everyMs });
  const { channels, misconfigured } = deps;
  const queuedAsks = createQueuedAsks(deps.findQueued, log.clock);
  const deliveries = createDeliveryWatch(tail);
  const stopping = new AbortController();
  const common = { clock: log.clock, links: deps.links, channels, misconfigured };
  return {
    name: "asker",
    routes: [
      ...askDoors({
        ...common,
        store: createInteractionStore(log),
        settings: deps.settings,
        media: storedAskMedia(media, "interaction"),
        answerKeys,
        openAsks,
        queuedAsks,
        deliveries,
        hasSecret: deps.hasSecret,
        findDriver: (name) => drivers.find(name),
        hasRoomFor: (bytes) => room.hasRoomFor(bytes),
        waiters: deps.waiters,
        waitSlots: deps.waitSlots,
      }),
      notifyDoor({
        ...common,
        notifications: createNotificationStore(log),
        media: storedAskMedia(media, "notification"),
        waitSlots: deps.waitSlots,
        stopping: stopping.signal,
      }),
    ],
    async start() {
      unsubscribe = tail.subscribe((stored) => {
        openAsks.observe(stored);
        queuedAsks.observe(stored);
      });
      await room.start();
      sweeping.start();
    },
    async stop() {
      room.stop();
      unsubscribe?.();
      deliveries.release();
      stopping.abort();
      deliveries.stop();
      await sweeping.stop();
    },
    health: () => ({ status: log.isUp() && log.clock.isKnown ? "ok" : "down" }),
  };
}
