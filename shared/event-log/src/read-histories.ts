import type { Log } from "./connect.ts";
import { isTooMany, readLastMessages } from "./direct-get.ts";
import { type History, type InteractionStore, readStored, type StoredEntry } from "./interaction-store.ts";
import { historyFilter, isInteractionId } from "./subjects.ts";
import { STREAMS } from "./streams.ts";

export type IdHistory = Readonly<{ id: string; history: History }>;

/** At ten kinds of events an interaction, a batch stays below the 1,024 subjects that one answer may have. */
const CHUNK = 96;
const NO_HISTORY: History = { entries: [], position: 0 };

/**
 * The histories of many interactions in the order of `ids`, some at a time, so that ten thousand of them are
 * never held at once. One that is not `isEnough` (a question not there yet, not ended yet) is read once more
 * as the leader has it. A text that is no id has no history.
 */
export async function* readHistories(
  log: Log,
  store: Pick<InteractionStore, "readFresh">,
  ids: readonly string[],
  isEnough: (history: History) => boolean = () => true,
): AsyncGenerator<readonly IdHistory[]> {
  for (let from = 0; from < ids.length; from += CHUNK) {
    const chunk = ids.slice(from, from + CHUNK);
    const found = await readChunk(log, chunk.filter(isInteractionId));
    const histories: IdHistory[] = [];
    for (const id of chunk) {
      const history = found.get(id) ?? NO_HISTORY;
      histories.push({ id, history: isEnough(history) ? history : await store.readFresh(id) });
    }
    yield histories;
  }
}

async function readChunk(log: Log, ids: readonly string[]): Promise<ReadonlyMap<string, History>> {
  if (ids.length === 0) return new Map();
  const entries = new Map<string, StoredEntry[]>();
  for (const message of await readOrHalve(log, ids)) {
    const stored = readStored(message);
    const { id } = stored.address;
    entries.set(id, [...(entries.get(id) ?? []), stored]);
  }
  return new Map(
    [...entries].map(([id, own]) => [id, { entries: own, position: own.at(-1)?.sequence ?? 0 }]),
  );
}

type Messages = Awaited<ReturnType<typeof readLastMessages>>;

async function readOrHalve(log: Log, ids: readonly string[]): Promise<Messages> {
  try {
    return await readLastMessages(log, STREAMS.interactions, ids.map(historyFilter));
  } catch (error) {
    if (ids.length === 1 || !isTooMany(error)) throw error;
    const middle = Math.ceil(ids.length / 2);
    return [
      ...(await readOrHalve(log, ids.slice(0, middle))),
      ...(await readOrHalve(log, ids.slice(middle))),
    ];
  }
}
