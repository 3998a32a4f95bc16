import { onAbort } from "../http/on-abort.ts";
import { scope } from "../http/pause.ts";

/** What a driver is in the middle of without a claim: runs that begin, and continuations that were posted. */
export type ActiveWork = Readonly<{
  begin<T>(given: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Resolves when nothing is going on, or what is has been given up. */
  idle(): Promise<void>;
}>;

export function createActiveWork(abandoned: AbortSignal, closing: AbortSignal): ActiveWork {
  const running = new Set<Promise<unknown>>();
  const givenUp = new Promise<void>((resolve) => {
    onAbort(abandoned, resolve);
  });
  return {
    async begin(given, work) {
      const bounds = scope(given, abandoned, closing);
      const task = work(bounds.signal);
      running.add(task);
      try {
        return await task;
      } finally {
        running.delete(task);
        bounds.release();
      }
    },
    async idle() {
      await Promise.race([Promise.allSettled(running), givenUp]);
    },
  };
}
