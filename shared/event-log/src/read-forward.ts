import { DeliverPolicy, type JsMsg } from "@nats-io/jetstream";
import type { Log } from "./connect.ts";
import { readMessage, type StoredEntry } from "./interaction-store.ts";
import { type StreamName, STREAMS } from "./streams.ts";

/** What a projection needs of a stored event. An unreadable one counts as one of an unknown type. */
export type ForwardEntry = Pick<StoredEntry, "sequence" | "entry">;

export type ReadForwardOptions = {
  fromSequence: number;
  /** Ends the reading. */
  signal: AbortSignal;
  onUnreadable: (error: unknown) => void;
};

const HEARTBEAT_MS = 1_000;
const PREFETCHED = 2_000;

/**
 * Every stored interaction event from `fromSequence` on, oldest first and then as they come, at the
 * reader's pace: unlike `openTail` it holds no more than it has prefetched, however slow the reader.
 * Ends when aborted, and when the connection was lost in between: then read on from the last sequence.
 */
export function readForward(log: Log, options: ReadForwardOptions): AsyncGenerator<ForwardEntry> {
  return readStream(log, STREAMS.interactions, options, (message) =>
    forwardEntry(log, message, options.onUnreadable),
  );
}

/** Any stream as `readForward` reads the interactions; `toEntry` must not throw. */
export async function* readStream<Entry>(
  log: Log,
  stream: StreamName,
  { fromSequence, signal }: Pick<ReadForwardOptions, "fromSequence" | "signal">,
  toEntry: (message: JsMsg) => Entry,
): AsyncGenerator<Entry> {
  const consumer = await log.jetstream.consumers.get(stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: fromSequence,
    inactive_threshold: 60_000_000_000,
  });
  const messages = await consumer.consume({
    max_messages: PREFETCHED,
    idle_heartbeat: HEARTBEAT_MS,
    abort_on_missing_resource: true,
    expires: 10_000,
  });
  const stop = (): void => {
    messages.stop();
  };
  const forget = log.onReconnect(stop);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    let position = fromSequence - 1;
    for await (const message of messages) {
      if (signal.aborted) return;
      if (message.seq <= position) continue;
      position = message.seq;
      yield toEntry(message);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    forget();
    stop();
  }
}

function forwardEntry(log: Log, message: JsMsg, onUnreadable: (error: unknown) => void): ForwardEntry {
  try {
    return readMessage(log, message);
  } catch (error) {
    onUnreadable(error);
    const unknownType = message.headers?.get("ce-type") ?? message.subject;
    return { sequence: message.seq, entry: { unknownType } };
  }
}
