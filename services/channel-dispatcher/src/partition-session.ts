import { consumeDurable, type Delivery, durableState, type Log } from "@interlude/event-log";
import type { Logger } from "@interlude/service-kit";
import { createHeldDeliveries } from "./application/held-deliveries.ts";
import type { PartitionSession } from "./application/partition-keeper.ts";
import { pause } from "./application/pause.ts";
import { type Recovery, startRecovery } from "./application/recovery.ts";
import type { PartitionReader } from "./ports.ts";

export type SessionOptions = Readonly<{
  log: Log;
  logger: Logger;
  channel: string;
  partition: number;
  readers: readonly PartitionReader[];
  /** Whoever had the partition left nothing under way. */
  wasGivenBack: boolean;
  /** Ends every wait of the readers' work. */
  stopWork: () => void;
}>;

/** Far from idle: a lost consumer is noticed by the reconnect; this is for one that was lost in silence. */
const HEARTBEAT_MS = 5_000;
const LOOK_EVERY_MS = 250;
const AGAIN_AFTER_MS = 1_000;
/** A worker that is only paused may have requests open at the server for this long. */
const REQUESTS_OPEN_MS = 12_000;
const FAILED_AGAIN_MS = 5_000;

/** Reads a partition with everything that is to be done with it, until it is stopped. */
export function openPartitionSession(options: SessionOptions): PartitionSession {
  const reading = options.readers.map((reader) => openReader(options, reader));
  let stopping: Promise<void> | undefined;
  return {
    stop() {
      options.stopWork();
      stopping ??= Promise.all(reading.map((reader) => reader.stop())).then(() => undefined);
      return stopping;
    },
  };
}

function openReader(options: SessionOptions, reader: PartitionReader): PartitionSession {
  const { log, logger, wasGivenBack } = options;
  const { stream, durable } = reader;
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();
  let consumer: { close(): Promise<void> } | undefined;
  let recovery: Recovery | undefined;
  let held: ReturnType<typeof createHeldDeliveries> | undefined;

  const where = { channel: options.channel, partition: options.partition, durable };
  const tell = (error: unknown): void => {
    logger.warn("a partition is not read as it should be", { ...where, reason: String(error) });
  };

  async function work(delivery: Delivery): Promise<void> {
    try {
      if ((await reader.handle(delivery)) === "done") delivery.ack();
    } catch (error) {
      if (!stopped.signal.aborted) tell(error);
      delivery.nak(stopped.signal.aborted ? 0 : FAILED_AGAIN_MS);
    }
  }

  function pass(delivery: Delivery): void {
    const working = work(delivery).finally(() => running.delete(working));
    running.add(working);
  }

  /** Requests of a worker that was only paused could still be given what comes now. */
  async function untilNobodyElse(): Promise<Awaited<ReturnType<typeof durableState>>> {
    const untilMs = performance.now() + REQUESTS_OPEN_MS;
    for (;;) {
      const state = await durableState(log, stream, durable);
      if (wasGivenBack || state.waiting === 0 || performance.now() > untilMs) return state;
      await pause(LOOK_EVERY_MS, stopped.signal);
      if (stopped.signal.aborted) return state;
    }
  }

  async function begin(): Promise<void> {
    const state = await untilNobodyElse();
    if (stopped.signal.aborted) return;
    const kept = createHeldDeliveries(state.ackWaitMs / 3);
    held = kept;
    const recovering = startRecovery({
      missing: state.unacknowledged,
      look: () => durableState(log, stream, durable),
      heldCount: () => kept.size,
      withinMs: state.ackWaitMs + REQUESTS_OPEN_MS,
      everyMs: LOOK_EVERY_MS * 2,
      pass,
      onFailure: tell,
    });
    recovery = recovering;
    consumer = consumeDurable(log, {
      stream,
      durable,
      concurrency: reader.concurrency,
      heartbeatMs: HEARTBEAT_MS,
      handle: (delivery) => {
        recovering.take(kept.keep(delivery));
        return Promise.resolve("held");
      },
      onFailure: tell,
    });
  }

  async function untilBegun(): Promise<void> {
    while (!stopped.signal.aborted && consumer === undefined) {
      try {
        await begin();
      } catch (error) {
        tell(error);
        await pause(AGAIN_AFTER_MS, stopped.signal);
      }
    }
  }

  const beginning = untilBegun();
  return {
    async stop() {
      stopped.abort();
      await beginning;
      await consumer?.close();
      recovery?.stop();
      await Promise.all(running);
      held?.handBack();
      held?.close();
    },
  };
}
