import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import { directGet } from "./direct-get.ts";
import { DURABLES } from "./provision.ts";
import { readStoredRun, type StoredRunEntry } from "./read-stored-run.ts";
import { STREAMS } from "./streams.ts";

const BATCH = 64;

/** What runs came to, as the durable `channel-dispatcher-replies` hands it out. */
export interface RunResults {
  /**
   * What runs of the same token came to, and what may not have been dealt with, from the first up to this one: of
   * several that take from the durable, each can see to it that nothing overtakes. @throws ServiceFailure
   */
  upTo(stored: StoredRunEntry): Promise<StoredRunEntry[]>;
}

export function runResults(log: Log): RunResults {
  async function place() {
    requireUp(log);
    return log.manager.consumers.info(STREAMS.runs, DURABLES.conversationReplies).catch((cause: unknown) => {
      throw new ServiceFailure("log_unavailable", { retry: "later", cause });
    });
  }

  return {
    async upTo(stored) {
      const { ack_floor: done } = await place();
      const filter = `runs.resumed.*.${stored.address.runToken}.*`;
      const found: StoredRunEntry[] = [];
      for (let seq = done.stream_seq + 1; seq < stored.sequence;) {
        const messages = await directGet(log, STREAMS.runs, { seq, batch: BATCH, next_by_subj: filter });
        const before = messages.filter((message) => message.seq < stored.sequence);
        found.push(...before.flatMap((message) => readable(message) ?? []));
        const last = messages.at(-1)?.seq;
        // It is among them itself: a replica that has not come so far yet may lack others too.
        if (last === undefined || (messages.length < BATCH && last < stored.sequence)) {
          throw new ServiceFailure("log_unavailable", { retry: "later", message: "a replica is behind" });
        }
        seq = last + 1;
      }
      return [...found, stored];
    },
  };
}

/** What cannot be read is told of by its own delivery. */
function readable(message: Parameters<typeof readStoredRun>[0]): StoredRunEntry | undefined {
  try {
    return readStoredRun(message);
  } catch {
    return undefined;
  }
}
