import type { RunEventType } from "@interlude/contract";
import type { Log } from "./connect.ts";
import type { StoredMessage } from "./direct-get.ts";
import { messagesBefore } from "./messages-before.ts";
import { type ParkAddress, parseRunSubject, runFilter } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/** What is looked for is most often near; each look that finds nothing reaches further back. */
const REACH = 1_000;
const FURTHER = 32;

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
    const found = await lastBetween(log, event, run, { from, before: sequence });
    if (found !== undefined || from === 1) return found;
  }
}

async function lastBetween(
  log: Log,
  event: RunEventType,
  run: ParkAddress,
  range: { from: number; before: number },
): Promise<StoredMessage | undefined> {
  let found: StoredMessage | undefined;
  for await (const each of messagesBefore(log, STREAMS.runs, runFilter(run), range)) {
    if (parseRunSubject(each.subject)?.event === event) found = each;
  }
  return found;
}
