import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import type { StreamName } from "./streams.ts";

export type DurableState = Readonly<{
  /** The last sequence that was handed to anybody. */
  deliveredSequence: number;
  /** Deliveries that nobody has acknowledged. */
  unacknowledged: number;
  /** Matching messages that have not been handed to anybody. */
  undelivered: number;
  /** Requests for more that are open: of processes that live, and for seconds of those that do not. */
  waiting: number;
  ackWaitMs: number;
}>;

/** @throws ServiceFailure `log_unavailable` */
export async function durableState(log: Log, stream: StreamName, durable: string): Promise<DurableState> {
  requireUp(log);
  try {
    const info = await log.manager.consumers.info(stream, durable);
    return {
      deliveredSequence: info.delivered.stream_seq,
      unacknowledged: info.num_ack_pending,
      undelivered: info.num_pending,
      waiting: info.num_waiting,
      ackWaitMs: (info.config.ack_wait ?? 0) / 1_000_000,
    };
  } catch (cause) {
    throw new ServiceFailure("log_unavailable", { retry: "later", cause, message: `consumer ${durable}` });
  }
}
