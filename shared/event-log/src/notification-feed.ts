import type { NotificationSentData } from "@interlude/contract";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import { directGet } from "./direct-get.ts";
import { readNotification } from "./notification-store.ts";
import { INBOX_CHANNEL } from "./subjects.ts";
import { STREAMS } from "./streams.ts";

export type FeedEntry = { sequence: number; sent: NotificationSentData };

const FEED_SUBJECTS = `notifications.sent.${INBOX_CHANNEL}.>`;
/** Sequences looked at in one read. */
const CHUNK = 128;

/**
 * The inbox's notifications, newest first, from before `beforeSequence` (else from the log's end); in chunks, of
 * which each says how far down it has looked. Ends at the oldest one kept.
 */
export async function* readFeed(
  log: Log,
  beforeSequence: number | undefined,
  onUnreadable: (error: unknown) => void,
): AsyncGenerator<{ entries: readonly FeedEntry[]; lookedDownTo: number }> {
  requireUp(log);
  const { state } = await log.manager.streams.info(STREAMS.notifications);
  let high = Math.min(state.last_seq, (beforeSequence ?? Infinity) - 1);
  while (high >= state.first_seq && high > 0) {
    const low = Math.max(state.first_seq, high - CHUNK + 1);
    const entries = await readRange(log, low, high, onUnreadable);
    yield { entries: entries.toReversed(), lookedDownTo: low };
    high = low - 1;
  }
}

/** Oldest first. One answer of the server may end early where its messages are large: then it is asked again. */
async function readRange(
  log: Log,
  low: number,
  high: number,
  onUnreadable: (error: unknown) => void,
): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  let next: number | undefined = low;
  while (next !== undefined && next <= high) next = await readOnce(log, next, high, entries, onUnreadable);
  return entries;
}

/** Where to read on; `undefined` when there is nothing more. */
async function readOnce(
  log: Log,
  from: number,
  high: number,
  entries: FeedEntry[],
  onUnreadable: (error: unknown) => void,
): Promise<number | undefined> {
  const request = { seq: from, batch: high - from + 1, next_by_subj: FEED_SUBJECTS };
  let last: number | undefined;
  for (const message of await directGet(log, STREAMS.notifications, request)) {
    last = message.seq;
    if (message.seq > high) return undefined;
    try {
      const sent = readNotification(message);
      if (sent !== undefined) entries.push({ sequence: message.seq, sent });
    } catch (error) {
      onUnreadable(error);
    }
  }
  return last === undefined ? undefined : last + 1;
}
