import { isDeliveryEvent } from "@interlude/contract";
import type { StoredEntry } from "@interlude/event-log";

type AskMode = "sync" | "async";

/** How many questions of a subject were open, as of a position in the log. */
export type OpenCount = { count: number; sequence: number };

/** Where a count can be had; `undefined` while it is away: a cap never refuses because a counter is. */
export type CountSource = (subject: string, mode: AskMode) => Promise<OpenCount | undefined>;

/** Counts open asks by a snapshot of the read model, what the log has told since, and what is on its way. */
export interface OpenAsks {
  observe(stored: StoredEntry): void;
  /** Takes a place under `cap` (0: none); `false` when there is none. Released by `giveBack`, or by its event. */
  reserve(subject: string, mode: AskMode, id: string, cap: number): Promise<boolean>;
  giveBack(subject: string, mode: AskMode, id: string): void;
  /** What is held in memory, which is bounded however long the counter is away. */
  readonly held: { books: number; changes: number };
}

const FRESH_FOR_MS = 10_000;
const MAX_IDLE_MS = 600_000;
const LOOK_FOR_IDLE_MS = 60_000;
/** What is kept one by one for a count that is behind; older changes are summed up. */
const MAX_CHANGES = 1_000;
/** A counter that hangs must not hold up the ask that wants to be counted; what it says late counts from then on. */
const WAIT_FOR_COUNT_MS = 250;

type Book = {
  /** As of a position in the log: what the counter said, and changes that were summed up since. */
  base: OpenCount;
  takenAtMs: number;
  usedAtMs: number;
  changes: { sequence: number; delta: 1 | -1 }[];
  reserved: Set<string>;
};

export function createOpenAsks(source: CountSource, nowMs: () => number): OpenAsks {
  const books = new Map<string, Book>();
  let lookedAtMs = nowMs();

  function book(subject: string, mode: AskMode): Book {
    const key = `${mode} ${subject}`;
    const known = books.get(key);
    if (known !== undefined) return known;
    const fresh: Book = {
      base: { count: 0, sequence: 0 },
      takenAtMs: -Infinity,
      usedAtMs: nowMs(),
      changes: [],
      reserved: new Set(),
    };
    books.set(key, fresh);
    return fresh;
  }

  function forgetIdle(): void {
    if (nowMs() - lookedAtMs < LOOK_FOR_IDLE_MS) return;
    lookedAtMs = nowMs();
    const before = nowMs() - MAX_IDLE_MS;
    for (const [key, { usedAtMs, reserved }] of books) {
      if (usedAtMs < before && reserved.size === 0) books.delete(key);
    }
  }

  async function refresh(entry: Book, subject: string, mode: AskMode): Promise<void> {
    if (nowMs() - entry.takenAtMs < FRESH_FOR_MS) return;
    entry.takenAtMs = nowMs();
    const taken = source(subject, mode).then((snapshot) => {
      // One that is behind what has been summed up here would count some of it twice.
      if (snapshot === undefined || snapshot.sequence < entry.base.sequence) return;
      entry.base = snapshot;
      entry.changes = entry.changes.filter(({ sequence }) => sequence > snapshot.sequence);
    });
    await atMost(WAIT_FOR_COUNT_MS, taken);
  }

  function counted(entry: Book): number {
    return entry.changes.reduce((count, { delta }) => count + delta, entry.base.count) + entry.reserved.size;
  }

  return {
    observe({ entry, sequence, address }) {
      if ("unknownType" in entry || isDeliveryEvent(entry)) return;
      forgetIdle();
      const known = books.get(`${entry.data.mode} ${entry.data.asker}`);
      if (known === undefined) return;
      known.reserved.delete(address.id);
      if (sequence > known.base.sequence)
        known.changes.push({ sequence, delta: entry.type === "asked" ? 1 : -1 });
      if (known.changes.length > MAX_CHANGES) sumUpOldest(known);
    },

    async reserve(subject, mode, id, cap) {
      forgetIdle();
      if (cap === 0) return true;
      const entry = book(subject, mode);
      entry.usedAtMs = nowMs();
      await refresh(entry, subject, mode);
      if (counted(entry) >= cap) return false;
      entry.reserved.add(id);
      return true;
    },

    giveBack(subject, mode, id) {
      books.get(`${mode} ${subject}`)?.reserved.delete(id);
    },

    get held() {
      const changes = [...books.values()].reduce((sum, entry) => sum + entry.changes.length, 0);
      return { books: books.size, changes };
    },
  };
}

/** So that a counter that stays away costs no memory without end: the older half becomes part of the base. */
function sumUpOldest(entry: Book): void {
  const oldest = entry.changes.splice(0, MAX_CHANGES / 2);
  const count = oldest.reduce((sum, { delta }) => sum + delta, entry.base.count);
  entry.base = { count, sequence: oldest.at(-1)?.sequence ?? entry.base.sequence };
}

/** Until `work` is done, or as long as it may take. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, enough]);
  clearTimeout(timer);
}
