import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import { directGet } from "./direct-get.ts";
import { type StoredEntry } from "./interaction-store.ts";
import { readStoredRun, type StoredRunEntry } from "./read-stored-run.ts";
import { interactionSubject } from "./subjects.ts";
import { runSubject } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/** Removes from the log for good. Only the retention's user may. */
export interface Purger {
  /**
   * Removes these events, each by its literal subject and never what is stored after `upTo`. The question goes
   * first: cut off after it, what is left is the end of a question that is not there, and never an open one.
   */
  purgeInteraction(entries: readonly StoredEntry[], upTo: number): Promise<void>;
  /** Removes these events of a park; `resumed`, by which it is found, goes last. */
  purgePark(entries: readonly StoredRunEntry[], upTo: number): Promise<void>;
  /** `resumed` events that were stored before `beforeMs`, oldest first. */
  resumedBefore(beforeMs: number): AsyncIterable<StoredRunEntry>;
}

const BATCH = 256;

export function createPurger(log: Log): Purger {
  async function purge(stream: string, subjects: readonly string[], upTo: number): Promise<void> {
    for (const filter of new Set(subjects)) {
      requireUp(log);
      try {
        // `seq` is the first that stays.
        await log.manager.streams.purge(stream, { filter, seq: upTo + 1 });
      } catch (cause) {
        throw new ServiceFailure("log_unavailable", { retry: "later", cause });
      }
    }
  }

  return {
    purgeInteraction(entries, upTo) {
      const subjects = entries.flatMap(({ entry, address, sequence }) =>
        "type" in entry && sequence <= upTo ? [interactionSubject(entry.type, address).subject] : [],
      );
      const isQuestion = (subject: string) => subject.startsWith("interactions.asked.");
      const ordered = [...subjects.filter(isQuestion), ...subjects.filter((one) => !isQuestion(one))];
      return purge(STREAMS.interactions, ordered, upTo);
    },

    purgePark(entries, upTo) {
      const subjects = entries.flatMap(({ entry, address, sequence }) =>
        "type" in entry && sequence <= upTo ? [runSubject(entry.type, address).subject] : [],
      );
      const isLast = (subject: string) => subject.startsWith("runs.resumed.");
      return purge(
        STREAMS.runs,
        [...subjects.filter((one) => !isLast(one)), ...subjects.filter(isLast)],
        upTo,
      );
    },

    async *resumedBefore(beforeMs) {
      for (let from = 1; ;) {
        const query = { seq: from, batch: BATCH, next_by_subj: "runs.resumed.>" };
        const messages = await directGet(log, STREAMS.runs, query);
        for (const message of messages) {
          if (message.time.getTime() >= beforeMs) return;
          from = message.seq + 1;
          yield readStoredRun(message);
        }
        if (messages.length < BATCH) return;
      }
    },
  };
}
