import { deadlineMs } from "@interlude/domain";
import {
  consumeDurable,
  createInteractionStore,
  createTimers,
  type Delivery,
  DURABLES,
  firedTimerId,
  type Log,
  STREAMS,
} from "@interlude/event-log";
import type { Logger, Metrics, Service } from "@interlude/service-kit";
import { z } from "zod";
import { createDeadlineKeeper } from "./application/deadline-keeper.ts";
import { expireQuestion } from "./application/expire-question.ts";
import { planDeadline } from "./application/plan-deadline.ts";
import { isUnreadable, readEvent, unreadable } from "./application/read-event.ts";

export type ExpirySchedulerDeps = { log: Log; logger: Logger; metrics: Metrics };

/** Enough to keep the server busy while each waits for its acknowledgement, and little beside the held ones. */
const LIFECYCLE_CONCURRENCY = 256;
const FIRED_CONCURRENCY = 1_024;
/** Well inside the consumers' ack wait: a held delivery is told to be alive, a dead process's comes back. */
const WORKING_EVERY_MS = 1_000;

/** Programs answer programs at once: a timer for such a question would only be set to be cancelled. */
const SETTLES_WITHIN_MS = 250;
const DUE_AGAIN_MS = 1_000;
/** Another process may be able to read it, or this one once it is updated. */
const UNREADABLE_AGAIN_MS = 5_000;

const TimerBody = z.object({ due_at_ms: z.number() });

/** Turns every deadline into one `expired` event, by the decider: a late timer never beats a recorded answer. */
export function createExpiryScheduler({ log, logger, metrics }: ExpirySchedulerDeps): Service {
  const store = createInteractionStore(log);
  const timers = createTimers(log);
  const keeper = createDeadlineKeeper(() => log.clock.nowMs());
  const held = new Map<string, Delivery>();
  /** Deadlines that are due and being acted on. */
  const expiring = new Set<Promise<void>>();
  const consumers: { close(): Promise<void> }[] = [];
  let working: NodeJS.Timeout | undefined;

  async function expire(id: string): Promise<void> {
    const expiry = await expireQuestion(store, id, log.clock);
    if (expiry.kind === "expired") metrics.expiryLateness.observe(expiry.lateMs / 1_000);
    // What fires early is armed again, at the moment the question itself names.
    if (expiry.kind === "not_due") await schedule(id, expiry.dueAtMs);
  }

  async function schedule(id: string, dueAtMs: number): Promise<void> {
    const plan = planDeadline(dueAtMs, log.clock.nowMs());
    await timers.set(id, plan.kind === "timer" ? plan.atMs : dueAtMs, dueAtMs);
  }

  /** Keeps the delivery until `atMs`, acts, and only then lets go of it. */
  function hold(id: string, atMs: number, delivery: Delivery, act: () => Promise<void>): "held" {
    held.set(id, delivery);
    keeper.hold(id, atMs, () => {
      held.delete(id);
      const work = act().then(
        () => {
          delivery.ack();
        },
        (error: unknown) => {
          tellFailure(error, delivery);
          delivery.nak(isUnreadable(error) ? UNREADABLE_AGAIN_MS : DUE_AGAIN_MS);
        },
      );
      expiring.add(work);
      void work.finally(() => expiring.delete(work));
    });
    return "held";
  }

  async function onLifecycle(delivery: Delivery): Promise<"done" | "held"> {
    const { id, event } = readEvent(log, delivery);
    if (event.type !== "asked") return forget(id);
    const dueAtMs = deadlineMs(event.data);
    const nowMs = log.clock.nowMs();
    if (planDeadline(dueAtMs, nowMs).kind === "hold") return hold(id, dueAtMs, delivery, () => expire(id));
    const settledAtMs = delivery.storedAtMs + SETTLES_WITHIN_MS;
    if (nowMs < settledAtMs) return hold(id, settledAtMs, delivery, () => schedule(id, dueAtMs));
    await schedule(id, dueAtMs);
    return "done";
  }

  /** An ended question needs its timer no more; one that fires all the same changes nothing. */
  async function forget(id: string): Promise<"done"> {
    const delivery = held.get(id);
    held.delete(id);
    if (keeper.drop(id)) delivery?.ack();
    else await timers.cancel(id);
    return "done";
  }

  async function onFired(delivery: Delivery): Promise<"done" | "held"> {
    const id = firedTimerId(delivery.subject);
    const body = TimerBody.safeParse(safeJson(delivery.data));
    if (id === undefined) throw unreadable(delivery, "a timer of no question");
    if (!body.success) {
      // The question itself says when it is due.
      tellUnreadable(delivery, "the body of a timer cannot be read");
      await expire(id);
      return "done";
    }
    const dueAtMs = body.data.due_at_ms;
    const plan = planDeadline(dueAtMs, log.clock.nowMs());
    if (plan.kind === "hold") return hold(id, dueAtMs, delivery, () => expire(id));
    // A server may fire dates it cannot represent at once.
    await timers.set(id, plan.atMs, dueAtMs);
    return "done";
  }

  function tellFailure(error: unknown, delivery: Delivery): void {
    if (isUnreadable(error)) {
      tellUnreadable(delivery, error.message);
      return;
    }
    const fields = { subject: delivery.subject, sequence: delivery.sequence, reason: String(error) };
    logger.warn("deadline not handled, will be tried again", fields);
  }

  /** Never passed over in silence: a deadline may hang on it that only a newer process, or a person, can keep. */
  function tellUnreadable({ subject, sequence }: Delivery, reason: string): void {
    metrics.skippedEvents.inc({ reader: "expiry-scheduler" });
    logger.error("an event with a deadline cannot be read", { subject, sequence, reason });
  }

  return {
    name: "expiry-scheduler",
    routes: [],
    start() {
      const common = { onFailure: tellFailure };
      consumers.push(
        consumeDurable(log, {
          ...common,
          stream: STREAMS.interactions,
          durable: DURABLES.expiryLifecycle,
          concurrency: LIFECYCLE_CONCURRENCY,
          handle: onLifecycle,
        }),
        consumeDurable(log, {
          ...common,
          stream: STREAMS.timers,
          durable: DURABLES.expiryFired,
          concurrency: FIRED_CONCURRENCY,
          handle: onFired,
        }),
      );
      working = setInterval(() => {
        for (const delivery of held.values()) delivery.working();
      }, WORKING_EVERY_MS);
      return Promise.resolve();
    },
    async stop() {
      // Taking ends before anything is handed back: it would come to this process again, and wait here for nobody.
      await Promise.all(consumers.splice(0).map((consumer) => consumer.close()));
      clearInterval(working);
      keeper.close();
      await Promise.all(expiring);
      // What is held goes back at once, so that another worker need not wait for the ack wait to pass.
      for (const delivery of held.values()) delivery.nak(0);
      held.clear();
    },
    health: () => ({ status: log.isUp() ? "ok" : "down" }),
  };
}

function safeJson(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString("utf8"));
  } catch {
    return undefined;
  }
}
