import { ServiceFailure } from "@interlude/kernel";
import type { Log } from "./connect.ts";
import { directGet, type StoredMessage } from "./direct-get.ts";
import type { StreamName } from "./streams.ts";

const BATCH = 64;

/**
 * What a filter names from one sequence on and before another, where it names a message too: a replica that lacks
 * that one may lack others before it.
 * @throws ServiceFailure `log_unavailable`, also where the replica that answers has not come so far
 */
export async function* messagesBefore(
  log: Log,
  stream: StreamName,
  filter: string,
  { from, before }: Readonly<{ from: number; before: number }>,
): AsyncGenerator<StoredMessage> {
  for (let seq = from; seq < before;) {
    const messages = await directGet(log, stream, { seq, batch: BATCH, next_by_subj: filter });
    for (const message of messages) if (message.seq < before) yield message;
    const last = messages.at(-1)?.seq;
    if (last === undefined || (messages.length < BATCH && last < before)) {
      throw new ServiceFailure("log_unavailable", { retry: "later", message: "a replica is behind" });
    }
    seq = last + 1;
  }
}
