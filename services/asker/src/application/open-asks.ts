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
}

const FRESH_FOR_MS = 10_000;
const MAX_IDLE_MS = 600_000;
/** A counter that hangs must not hold up the ask that wants to be counted; what it says late counts from then on. */
const WAIT_FOR_COUNT_MS = 250;

type Book = {
  snapshot: OpenCount | undefined;
  takenAtMs: number;
  usedAtMs: number;
  changes: { sequence: number; delta: 1 | -1 }[];
  reserved: Set<string>;
};

export function createOpenAsks(source: CountSource, nowMs: () => number): OpenAsks {
  const books = new Map<string, Book>();

  function book(subject: string, mode: AskMode): Book {
    const key = `${mode} ${subject}`;
    const known = books.get(key);
    if (known !== undefined) return known;
    const fresh: Book = {
      snapshot: undefined,
      takenAtMs: -Infinity,
      usedAtMs: nowMs(),
      changes: [],
      reserved: new Set(),
    };
    books.set(key, fresh);
    forgetIdle();
    return fresh;
  }

  function forgetIdle(): void {
    const before = nowMs() - MAX_IDLE_MS;
    for (const [key, { usedAtMs, reserved }] of books) {
      if (usedAtMs < before && reserved.size === 0) books.delete(key);
    }
  }

  async function refresh(entry: Book, subject: string, mode: AskMode): Promise<void> {
    if (nowMs() - entry.takenAtMs < FRESH_FOR_MS) return;
    entry.takenAtMs = nowMs();
    const taken = source(subject, mode).then((snapshot) => {
      if (snapshot === undefined) return;
      entry.snapshot = snapshot;
      entry.changes = entry.changes.filter(({ sequence }) => sequence > snapshot.sequence);
    });
    await atMost(WAIT_FOR_COUNT_MS, taken);
  }

  function counted(entry: Book): number {
    const since = entry.snapshot?.sequence ?? 0;
    let count = entry.snapshot?.count ?? 0;
    for (const { sequence, delta } of entry.changes) if (sequence > since) count += delta;
    return count + entry.reserved.size;
  }

  return {
    observe({ entry, sequence, address }) {
      if ("unknownType" in entry) return;
      const known = books.get(`${entry.data.mode} ${entry.data.asker}`);
      known?.reserved.delete(address.id);
      known?.changes.push({ sequence, delta: entry.type === "asked" ? 1 : -1 });
    },

    async reserve(subject, mode, id, cap) {
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
  };
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
