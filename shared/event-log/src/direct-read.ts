import type { StoredMsg } from "@nats-io/jetstream";
import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import type { StreamName } from "./streams.ts";

/** Between two messages of one answer. */
const WITHIN_MS = 5_000;

type ReadingBatch = AsyncIterable<StoredMsg> & { stop(error?: Error): void };

/**
 * The last message on each subject that a filter names, in log order, from one replica as it stands. More than
 * 1,024 subjects are refused by the server.
 * @throws ServiceFailure `log_unavailable`, also when the answer does not come to its end
 */
export async function readLastMessages(
  log: Log,
  stream: StreamName,
  filters: readonly string[],
): Promise<StoredMsg[]> {
  requireUp(log);
  const messages = new Map<number, StoredMsg>();
  try {
    const batch = await log.manager.direct.getLastMessagesFor(stream, { multi_last: [...filters] });
    for await (const message of bounded(log, batch)) messages.set(message.seq, message);
  } catch (cause) {
    throw unavailable(cause);
  }
  return [...messages.values()].sort((one, other) => one.seq - other.seq);
}

/**
 * Ends with an error a batch that is cut off, by a lost connection or a server that says no more: the client
 * would wait for its rest for ever.
 */
export async function* bounded(
  log: Pick<Log, "onReconnect">,
  batch: ReadingBatch,
  withinMs = WITHIN_MS,
): AsyncGenerator<StoredMsg> {
  const stop = (): void => {
    batch.stop(new ServiceFailure("log_unavailable", { retry: "later", message: "a read was cut off" }));
  };
  const timer = setTimeout(stop, withinMs);
  const forget = log.onReconnect(stop);
  try {
    for await (const message of batch) {
      timer.refresh();
      yield message;
    }
  } finally {
    clearTimeout(timer);
    forget();
  }
}

function unavailable(cause: unknown): ServiceFailure {
  if (cause instanceof ServiceFailure) return cause;
  return new ServiceFailure("log_unavailable", { retry: "later", cause });
}
