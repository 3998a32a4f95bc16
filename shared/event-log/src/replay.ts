import { JetStreamError } from "@nats-io/jetstream";
import type { Log } from "./connect.ts";
import { readStored, type StoredEntry } from "./interaction-store.ts";
import { STREAMS } from "./streams.ts";

export type LogBounds = { firstSequence: number; lastSequence: number };

/** First and last stored sequence as the stream's leader says. */
export async function logBounds(log: Log): Promise<LogBounds> {
  const { state } = await log.manager.streams.info(STREAMS.interactions);
  return { firstSequence: state.first_seq, lastSequence: state.last_seq };
}

/**
 * Reads at most `batch` stored events from `fromSequence` on, oldest first; empty at the end of the log.
 * Unreadable entries are handed to `onUnreadable` and left out.
 */
export async function readLog(
  log: Log,
  fromSequence: number,
  batch: number,
  onUnreadable: (error: unknown) => void,
): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  try {
    const messages = await log.manager.direct.getBatch(STREAMS.interactions, { seq: fromSequence, batch });
    for await (const message of messages) {
      try {
        entries.push(readStored(message));
      } catch (error) {
        onUnreadable(error);
      }
    }
  } catch (error) {
    // "message not found": nothing at or after this sequence.
    if (error instanceof JetStreamError && "code" in error && error.code === 404) return entries;
    throw error;
  }
  return entries;
}
