import {
  consumeDurable,
  type Delivery,
  type DriverResults,
  DURABLES,
  isConversationRun,
  type Log,
  readRunDelivery,
  type StoredRunEntry,
  STREAMS,
} from "@interlude/event-log";
import { sharedAbort } from "@interlude/kernel";
import { createLanes } from "../application/lanes.ts";
import { pause } from "../application/pause.ts";
import { untilDone } from "../application/until-done.ts";

export type FollowDeps = Readonly<{
  log: Log;
  results: DriverResults;
  /** Drivers that a route leads to; of others nothing is said in conversations. */
  drivers: ReadonlySet<string>;
  /** May be repeated: what was due before is not due again. */
  handle: (stored: StoredRunEntry) => Promise<void>;
  onFailure: (error: unknown) => void;
}>;

/** Of different conversations beside each other; of one, in the log's order. */
const AT_ONCE = 64;
/** The log hands a delivery to another process that is silent for four times as long. */
const ALIVE_EVERY_MS = 1_000;
const FOLLOW_AGAIN_MS = 5_000;

/**
 * Has everything dealt with that runs of these drivers come to. What fails is repeated here: handed back, it would be
 * overtaken. Another process may have what comes before: then this one deals with it too, and first.
 */
export function followResults(deps: FollowDeps): { stop(): Promise<void> } {
  const { log, results, drivers, handle, onFailure } = deps;
  if (drivers.size === 0) return { stop: () => Promise.resolve() };
  const lanes = createLanes();
  const stopping = sharedAbort();
  const isStopping = () => stopping.signal.aborted;

  /** Until it does, the durable hands out what it did before: of every driver, when it was made. */
  async function follow(): Promise<void> {
    while (!isStopping()) {
      try {
        await results.follow(drivers);
        return;
      } catch (error) {
        onFailure(error);
        await pause(FOLLOW_AGAIN_MS, stopping.signal);
      }
    }
  }

  async function inOrder(stored: StoredRunEntry): Promise<void> {
    for (const each of await results.upTo(stored)) {
      if (drivers.has(each.address.driver)) await handle(each);
    }
  }

  async function take(delivery: Delivery): Promise<"done"> {
    const stored = readRunDelivery(delivery);
    if (!isConversationRun(stored.address)) return "done";
    const alive = setInterval(() => {
      delivery.working();
    }, ALIVE_EVERY_MS);
    try {
      const work = () => untilDone(() => inOrder(stored), stopping.signal, onFailure);
      await lanes.run(stored.address.runToken, work);
      return "done";
    } finally {
      clearInterval(alive);
    }
  }

  const following = follow();
  const consumer = consumeDurable(log, {
    ...{ stream: STREAMS.runs, durable: DURABLES.conversationReplies, concurrency: AT_ONCE },
    ...{ handle: take, onFailure },
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all([following, consumer.close()]);
    },
  };
}
