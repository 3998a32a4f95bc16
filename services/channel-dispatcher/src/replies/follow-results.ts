import {
  consumeDurable,
  type Delivery,
  DURABLES,
  isConversationRun,
  type Log,
  readRunDelivery,
  type RunResults,
  type StoredRunEntry,
  STREAMS,
} from "@interlude/event-log";
import { sharedAbort } from "@interlude/kernel";
import { createLanes } from "../application/lanes.ts";
import { untilDone } from "../application/until-done.ts";

export type FollowDeps = Readonly<{
  log: Log;
  results: RunResults;
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
/** Of a driver without a route here: so long another process, which may have been started with one, is offered it. */
const ROUTES_DIFFER_MS = 600_000;
const HAND_BACK_MS = 5_000;

/**
 * Has everything dealt with that runs of conversations come to. What fails is repeated here: handed back, it would be
 * overtaken. Another process may have what comes before: then this one deals with it too, and first.
 */
export function followResults(deps: FollowDeps): { stop(): Promise<void> } {
  const { log, results, drivers, handle, onFailure } = deps;
  if (drivers.size === 0) return { stop: () => Promise.resolve() };
  const lanes = createLanes();
  const stopping = sharedAbort();

  /** `not_ours`: nothing of this conversation is dealt with here that came behind what another process has to. */
  async function inOrder(stored: StoredRunEntry): Promise<"done" | "not_ours"> {
    for (const each of await results.upTo(stored)) {
      if (drivers.has(each.address.driver)) await handle(each);
      else if (log.clock.nowMs() - each.storedAtMs < ROUTES_DIFFER_MS) return "not_ours";
    }
    return "done";
  }

  async function take(delivery: Delivery): Promise<"done" | "held"> {
    const stored = readRunDelivery(delivery);
    if (!isConversationRun(stored.address)) return "done";
    const alive = setInterval(() => {
      delivery.working();
    }, ALIVE_EVERY_MS);
    try {
      const work = () => untilDone(() => inOrder(stored), stopping.signal, onFailure);
      if ((await lanes.run(stored.address.runToken, work)) === "done") return "done";
      delivery.nak(stopping.signal.aborted ? 0 : HAND_BACK_MS);
      return "held";
    } finally {
      clearInterval(alive);
    }
  }

  const consumer = consumeDurable(log, {
    ...{ stream: STREAMS.runs, durable: DURABLES.conversationReplies, concurrency: AT_ONCE },
    ...{ handle: take, onFailure },
  });
  return {
    async stop() {
      stopping.abort();
      await consumer.close();
    },
  };
}
