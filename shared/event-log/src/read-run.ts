import { directGet } from "./direct-get.ts";
import type { Log } from "./connect.ts";
import { readStoredRun, type StoredRunEntry } from "./read-stored-run.ts";
import { runFilter } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/** A park may have ten thousand ids. */
const BATCH = 64;

/** Every stored event of every park of a run, oldest first, from one replica as it stands. @throws ServiceFailure */
export async function readRun(log: Log, driver: string, runToken: string): Promise<StoredRunEntry[]> {
  // The last token is any park's: the filter is of the run.
  const filter = runFilter({ driver, runToken, parkToken: "any" });
  const entries: StoredRunEntry[] = [];
  for (;;) {
    const from = (entries.at(-1)?.sequence ?? 0) + 1;
    const messages = await directGet(log, STREAMS.runs, { seq: from, batch: BATCH, next_by_subj: filter });
    entries.push(...messages.map(readStoredRun));
    if (messages.length < BATCH) return entries;
  }
}
