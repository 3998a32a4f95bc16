import type { RunModelEntry } from "@interlude/run-model";

/** Several readers' entries as they come: bounded, so that a slow writer slows the readers and nothing piles up. */
export interface MergedEntries {
  /** The next entries, at least one; none when a reader has ended. @throws what a reader threw, or `fail` was told */
  take(): Promise<RunModelEntry[]>;
  fail(error: unknown): void;
  /** Once every reader has ended. */
  closed(): Promise<void>;
}

const MAX_ENTRIES = 1_000;
/** A park brings a row for each of its questions. */
const MAX_WEIGHT = 20_000;

export function createMergedEntries(
  readers: readonly AsyncIterable<RunModelEntry>[],
  signal: AbortSignal,
): MergedEntries {
  let entries: RunModelEntry[] = [];
  let weight = 0;
  let over: { error?: unknown } | undefined;
  let wake = signalOf();

  function tell(): void {
    const before = wake;
    wake = signalOf();
    before.resolve();
  }

  function end(reason: { error?: unknown }): void {
    over ??= reason;
    tell();
  }

  async function pump(reader: AsyncIterable<RunModelEntry>): Promise<void> {
    try {
      for await (const entry of reader) {
        entries.push(entry);
        weight += weightOf(entry);
        tell();
        while (over === undefined && isFull()) await wake.promise;
        if (signal.aborted) break;
      }
      end({});
    } catch (error) {
      end({ error });
    }
  }

  // Functions: both change while somebody waits.
  const isFull = () => entries.length >= MAX_ENTRIES || weight >= MAX_WEIGHT;
  const isOver = () => over;
  const pumps = Promise.all(readers.map(pump));
  const onAbort = (): void => {
    end({});
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();

  return {
    async take() {
      while (isOver() === undefined && entries.length === 0) await wake.promise;
      const reason = isOver();
      if (reason !== undefined && "error" in reason) throw reason.error;
      if (reason !== undefined) return [];
      const taken = entries;
      entries = [];
      weight = 0;
      tell();
      return taken;
    },
    fail(error) {
      end({ error });
    },
    async closed() {
      end({});
      await pumps;
      signal.removeEventListener("abort", onAbort);
    },
  };
}

function weightOf({ entry }: RunModelEntry): number {
  return "type" in entry && entry.type === "parked" ? entry.data.interaction_ids.length : 1;
}

function signalOf(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
