import { ServiceFailure } from "@interlude/kernel";
import type { Log } from "./connect.ts";
import { directGet } from "./direct-get.ts";
import { readStored, type StoredEntry } from "./interaction-store.ts";
import { type StreamName, STREAMS } from "./streams.ts";

export type LogBounds = { firstSequence: number; lastSequence: number };

/** First and last stored sequence as the stream's leader says. */
export async function logBounds(log: Log, stream: StreamName = STREAMS.interactions): Promise<LogBounds> {
  const { state } = await log.manager.streams.info(stream);
  return { firstSequence: state.first_seq, lastSequence: state.last_seq };
}

const MAX_ATTEMPTS = 20;
/** What one reader holds in memory of what it has yet to hand on; the largest event is half of it. */
const BATCH_BYTES = 1_048_576;

/**
 * Reads at most `batch` stored events, and at most 1 MiB, from `fromSequence` on, oldest first; empty at the end of the log, as its
 * leader has it. Unreadable entries are handed to `onUnreadable` and left out.
 * @throws ServiceFailure `log_unavailable` when the replicas do not catch up with the leader
 */
export async function readLog(
  log: Log,
  fromSequence: number,
  batch: number,
  onUnreadable: (error: unknown) => void,
): Promise<StoredEntry[]> {
  let from = fromSequence;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { entries, last } = await readBatch(log, from, batch, onUnreadable);
    if (entries.length > 0) return entries;
    if (last !== undefined) {
      // Nothing in it could be read, which says nothing of what follows.
      from = last + 1;
      attempt = 0;
      continue;
    }
    // Whoever answered may lag behind: only the leader knows where the log ends.
    if (!(await hasAnyFrom(log, from))) return [];
    await new Promise((resolve) => setTimeout(resolve, 5 * attempt));
  }
  throw new ServiceFailure("log_unavailable", { retry: "later", message: "replicas lag behind the leader" });
}

async function hasAnyFrom(log: Log, sequence: number): Promise<boolean> {
  const request = { seq: sequence, next_by_subj: "interactions.>" };
  return (await log.manager.streams.getMessage(STREAMS.interactions, request)) !== null;
}

type Batch = { entries: StoredEntry[]; last: number | undefined };

async function readBatch(
  log: Log,
  fromSequence: number,
  batch: number,
  onUnreadable: (error: unknown) => void,
): Promise<Batch> {
  const entries: StoredEntry[] = [];
  const messages = await directGet(log, STREAMS.interactions, {
    ...{ seq: fromSequence, batch },
    max_bytes: BATCH_BYTES,
  });
  for (const message of messages) {
    try {
      entries.push(readStored(message));
    } catch (error) {
      onUnreadable(error);
    }
  }
  return { entries, last: messages.at(-1)?.seq };
}
