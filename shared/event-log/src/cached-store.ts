import type { History, InteractionStore, StoredEntry } from "./interaction-store.ts";
import type { Tail } from "./tail.ts";

/** What a question takes in memory beside its text. */
const OVERHEAD_BYTES = 500;

export interface CachedStore extends InteractionStore {
  /** Bytes of questions remembered now. */
  readonly bytes: number;
  close(): void;
}

type Remembered = { history: History; bytes: number };

/**
 * Remembers open questions as the tail tells of them, so that answering one needs no read of the log, which
 * for an old one is the dearest part. It may be behind the log: `append` proves what it decides on, and
 * `readFresh`, which follows every conflict, asks the log and forgets. The oldest go when `maxBytes` are full.
 */
export function createCachedStore(
  store: InteractionStore,
  tail: Pick<Tail, "subscribe">,
  maxBytes: number,
): CachedStore {
  const open = new Map<string, Remembered>();
  let total = 0;

  function forget(id: string): void {
    total -= open.get(id)?.bytes ?? 0;
    open.delete(id);
  }

  function remember(id: string, stored: StoredEntry): void {
    const bytes = JSON.stringify(stored.entry).length * 2 + OVERHEAD_BYTES;
    if (bytes > maxBytes) return;
    open.set(id, { history: { entries: [stored], position: stored.sequence }, bytes });
    total += bytes;
    for (const oldest of open.keys()) {
      if (total <= maxBytes) return;
      forget(oldest);
    }
  }

  const unsubscribe = tail.subscribe((stored) => {
    const { id } = stored.address;
    // Any later event, of whatever type, makes what was remembered incomplete.
    forget(id);
    if (!("unknownType" in stored.entry) && stored.entry.type === "asked") remember(id, stored);
  });

  return {
    read: (id) => {
      const remembered = open.get(id);
      return remembered === undefined ? store.read(id) : Promise.resolve(remembered.history);
    },
    readFresh(id) {
      forget(id);
      return store.readFresh(id);
    },
    readAll: (id) => store.readAll(id),
    append: (event, address, position, write) => store.append(event, address, position, write),
    get bytes() {
      return total;
    },
    close() {
      unsubscribe();
      open.clear();
      total = 0;
    },
  };
}
