import type { RunEventType } from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";
import type { Log } from "./connect.ts";
import { directGet, type StoredMessage } from "./direct-get.ts";
import { type ParkAddress, parseRunSubject, runFilter } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/** What is looked for is most often near; each look that finds nothing reaches further back. */
const REACH = 1_000;
const FURTHER = 32;
const BATCH = 64;

/**
 * The last such event of a run before another of it, which stands at `sequence`.
 * @throws ServiceFailure `log_unavailable`, also where the replica that answers has not come as far as `sequence`
 */
export async function lastBefore(
  log: Log,
  event: RunEventType,
  run: ParkAddress,
  sequence: number,
): Promise<StoredMessage | undefined> {
  for (let reach = REACH; ; reach *= FURTHER) {
    const from = Math.max(1, sequence - reach);
    const found = await lastBetween(log, event, run, { from, sequence });
    if (found !== undefined || from === 1) return found;
  }
}

async function lastBetween(
  log: Log,
  event: RunEventType,
  run: ParkAddress,
  { from, sequence }: { from: number; sequence: number },
): Promise<StoredMessage | undefined> {
  const isWanted = ({ seq, subject }: StoredMessage) =>
    seq < sequence && parseRunSubject(subject)?.event === event;
  let found: StoredMessage | undefined;
  for (let seq = from; ;) {
    const messages = await directGet(log, STREAMS.runs, { seq, batch: BATCH, next_by_subj: runFilter(run) });
    found = messages.findLast(isWanted) ?? found;
    const last = messages.at(-1)?.seq;
    if (last !== undefined && last >= sequence) return found;
    // The one at `sequence` is among them, unless the replica lacks it, and perhaps others too.
    if (last === undefined || messages.length < BATCH) {
      throw new ServiceFailure("log_unavailable", { retry: "later", message: "a replica is behind" });
    }
    seq = last + 1;
  }
}
