import {
  createDriverStore,
  createInteractionStore,
  createMediaStore,
  createNotificationStore,
  type Log,
  logFullness,
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
import { notifyDoor } from "./adapters/notify-door.ts";
import { storedAskMedia } from "./adapters/stored-ask-media.ts";
import { type CountSource, createOpenAsks } from "./application/open-asks.ts";
import { createKeySweeping } from "./key-sweeping.ts";

export type AskerDeps = {
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
  sweepKeysEveryMs?: number;
};

/** Asks stop here, so that the room left is for the answers. */
const NEARLY_FULL = 0.95;
const LOOK_EVERY_MS = 5_000;

/** Takes questions: refuses before anything is stored, and stores each once. */
export function createAsker(deps: AskerDeps): Service {
  const { log, tail, logger } = deps;
  const openAsks = createOpenAsks(deps.countOpen, () => performance.now());
  let fullness = 0;
  let looking: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  async function look(): Promise<void> {
    fullness = await logFullness(log);
    if (fullness >= NEARLY_FULL)
      logger.warn("the event log is nearly full; questions are refused", { fullness });
  }

  const media = createMediaStore(log);
  const drivers = createDriverStore(log);
  const { answerKeys, sweepKeysEveryMs: everyMs } = deps;
  const sweeping = createKeySweeping({ log, answerKeys, logger, everyMs });
  const common = { clock: log.clock, links: deps.links, channels: new Set<string>() };
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
        hasSecret: deps.hasSecret,
        findDriver: (name) => drivers.find(name),
        isNearlyFull: () => fullness >= NEARLY_FULL,
        waiters: deps.waiters,
        waitSlots: deps.waitSlots,
      }),
      notifyDoor({
        ...common,
        notifications: createNotificationStore(log),
        media: storedAskMedia(media, "notification"),
      }),
    ],
    async start() {
      unsubscribe = tail.subscribe((stored) => {
        openAsks.observe(stored);
      });
      await look();
      looking = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS);
      sweeping.start();
    },
    async stop() {
      clearInterval(looking);
      unsubscribe?.();
      await sweeping.stop();
    },
    health: () => ({ status: log.isUp() && log.clock.isKnown ? "ok" : "down" }),
  };
}
