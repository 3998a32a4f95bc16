import type { Log } from "./connect.ts";
import { directGet, type StoredMessage } from "./direct-get.ts";

/** What is looked for is most often near; each look that finds nothing reaches further back. */
const REACH = 1_000;
const FURTHER = 32;
const BATCH = 64;

/** The last message that `filter` names before `sequence`, from one replica as it stands. @throws ServiceFailure */
export async function lastBefore(
  log: Log,
  stream: string,
  filter: string,
  sequence: number,
): Promise<StoredMessage | undefined> {
  for (let reach = REACH; ; reach *= FURTHER) {
    const from = Math.max(1, sequence - reach);
    const found = await lastBetween(log, stream, filter, { from, sequence });
    if (found !== undefined || from === 1) return found;
  }
}

async function lastBetween(
  log: Log,
  stream: string,
  filter: string,
  { from, sequence }: { from: number; sequence: number },
): Promise<StoredMessage | undefined> {
  let found: StoredMessage | undefined;
  for (let seq = from; ;) {
    const messages = await directGet(log, stream, { seq, batch: BATCH, next_by_subj: filter });
    found = messages.findLast((message) => message.seq < sequence) ?? found;
    const last = messages.at(-1)?.seq ?? sequence;
    if (last >= sequence || messages.length < BATCH) return found;
    seq = last + 1;
  }
}
