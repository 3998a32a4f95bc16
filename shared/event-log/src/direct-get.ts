import { headers, type MsgHdrs } from "@nats-io/nats-core";
import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import type { Answer } from "./requests.ts";

/** A stored message as a direct read gives it. */
export type StoredMessage = {
  subject: string;
  seq: number;
  time: Date;
  data: Uint8Array;
  header: MsgHdrs;
};

/** The server's own words for a batched read: the last message of each filter, or the next ones from `seq`. */
export type DirectQuery =
  | { multi_last: readonly string[]; batch?: number; max_bytes?: number }
  | { seq: number; batch: number; next_by_subj?: string; max_bytes?: number };

const NOT_FOUND = 404;
const END_OF_BATCH = 204;
const FEW_BYTES = 256 * 1_024;

/**
 * The last message on each subject that a filter names, in log order, from one replica as it stands. More than
 * 1,024 subjects are refused by the server.
 * @throws ServiceFailure `log_unavailable`, with its status
 */
export async function readLastMessages(
  log: Log,
  stream: string,
  filters: readonly string[],
): Promise<StoredMessage[]> {
  const messages = await directGet(log, stream, { multi_last: filters });
  // Filters that overlap name a message twice.
  const once = new Map(messages.map((message) => [message.seq, message]));
  return [...once.values()].sort((one, other) => one.seq - other.seq);
}

/** "too many results": more subjects than one answer may have. */
export function isTooMany(error: unknown): boolean {
  return error instanceof ServiceFailure && error.context["status"] === 413;
}

/**
 * The same of one filter where it is little: `undefined` where there is more than `most` messages or 256 kB.
 * @throws ServiceFailure `log_unavailable`
 */
export async function readFewLastMessages(
  log: Log,
  stream: string,
  filter: string,
  most: number,
): Promise<StoredMessage[] | undefined> {
  try {
    const query = { multi_last: [filter], batch: most, max_bytes: FEW_BYTES };
    const { messages, isAll } = await directGetBatch(log, stream, query);
    return isAll ? messages : undefined;
  } catch (error) {
    if (isTooMany(error)) return undefined;
    throw error;
  }
}

/**
 * Reads stored messages from whichever replica answers first, in log order; none where nothing matches.
 * @throws ServiceFailure `log_unavailable`
 */
export async function directGet(log: Log, stream: string, query: DirectQuery): Promise<StoredMessage[]> {
  return (await directGetBatch(log, stream, query)).messages;
}

async function directGetBatch(
  log: Log,
  stream: string,
  query: DirectQuery,
): Promise<{ messages: StoredMessage[]; isAll: boolean }> {
  requireUp(log);
  const request = { subject: `$JS.API.DIRECT.GET.${stream}`, payload: JSON.stringify(query) };
  const answers = await log.requests.all(request, ({ status }) => status !== 0);
  const end = answers.at(-1);
  if (end?.status === NOT_FOUND) return { messages: [], isAll: true };
  if (end?.status !== END_OF_BATCH) {
    const message = `reading ${stream}: ${end?.description ?? ""}`;
    const context = { status: end?.status ?? 0 };
    throw new ServiceFailure("log_unavailable", { retry: "later", message, context });
  }
  return {
    messages: answers.slice(0, -1).map(toStored),
    isAll: end.headers?.get("Nats-Num-Pending") === "0",
  };
}

function toStored({ data, headers: given }: Answer): StoredMessage {
  const header = given ?? headers();
  return {
    subject: header.get("Nats-Subject"),
    seq: Number(header.get("Nats-Sequence")),
    time: new Date(header.get("Nats-Time-Stamp")),
    data,
    header,
  };
}
