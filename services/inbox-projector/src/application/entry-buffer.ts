/** Between what reads and what writes: bounded, so that a slow writer slows the reader and nothing piles up. */
export interface EntryBuffer<Entry> {
  /** Resolves when there is room for more. @throws what `fail` was told */
  push(entry: Entry): Promise<void>;
  /**
   * The next entries, at most a batch: once `gate` has opened what there is (at least one), and a full batch
   * already before. After `end` what is left, then nothing. @throws what `gate` or `fail` was told
   */
  take(gate: Promise<unknown>): Promise<Entry[]>;
  end(): void;
  fail(error: unknown): void;
}

export function createEntryBuffer<Entry>(batchSize: number): EntryBuffer<Entry> {
  let entries: Entry[] = [];
  let over: { error?: unknown } | undefined;
  let changed = signal();

  function tell(): void {
    const before = changed;
    changed = signal();
    before.resolve();
  }

  async function until(condition: () => boolean): Promise<void> {
    while (over === undefined && !condition()) await changed.promise;
    if (over !== undefined && "error" in over) throw over.error;
  }

  function fail(error: unknown): void {
    over = { error };
    tell();
  }

  return {
    async push(entry) {
      entries.push(entry);
      if (entries.length === 1 || entries.length === batchSize) tell();
      // One batch is being written, one waits for it, and one is being read.
      if (entries.length >= 2 * batchSize) await until(() => entries.length < 2 * batchSize);
    },
    async take(gate) {
      let isOpen = false;
      gate.then(() => {
        isOpen = true;
        tell();
      }, fail);
      await until(() => entries.length >= batchSize || (isOpen && entries.length > 0));
      const taken = entries.slice(0, batchSize);
      entries = entries.slice(batchSize);
      tell();
      return taken;
    },
    end() {
      over ??= {};
      tell();
    },
    fail,
  };
}

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
