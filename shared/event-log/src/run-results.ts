import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import type { StoredMessage } from "./direct-get.ts";
import { messagesBefore } from "./messages-before.ts";
import { DURABLES } from "./provision.ts";
import { readStoredRun, type StoredRunEntry } from "./read-stored-run.ts";
import { STREAMS } from "./streams.ts";

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
      const range = { from: done.stream_seq + 1, before: stored.sequence };
      for await (const message of messagesBefore(log, STREAMS.runs, filter, range)) {
        found.push(...readable(message));
      }
      return [...found, stored];
    },
  };
}

/** What cannot be read is told of by its own delivery. */
function readable(message: StoredMessage): StoredRunEntry[] {
  try {
    return [readStoredRun(message)];
  } catch {
    return [];
  }
}
