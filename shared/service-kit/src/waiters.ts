import { END_TYPES } from "@interlude/contract";
import type { StoredEntry, Tail } from "@interlude/event-log";

/** Wakes callers that wait for the end of an interaction; woken from stored events only. */
export interface Waiters {
  /**
   * Starts to listen before the caller reads, so that no end falls between.
   * `ended` resolves with the end event, or `undefined` after `withinMs` or when the signal aborts.
   */
  listen(id: string): {
    ended(withinMs: number, signal?: AbortSignal): Promise<StoredEntry | undefined>;
    stop(): void;
  };
  readonly waiting: number;
  /** Lets every waiting caller go without an end, for a process that stops. */
  release(): void;
}

const ENDS: ReadonlySet<string> = new Set(END_TYPES);

type Listener = { end: StoredEntry | undefined; wake: ((end: StoredEntry | undefined) => void) | undefined };

export function createWaiters(tail: Tail): Waiters {
  const byId = new Map<string, Set<Listener>>();

  tail.subscribe((stored) => {
    const listeners = byId.get(stored.address.id);
    if (listeners === undefined || "unknownType" in stored.entry || !ENDS.has(stored.entry.type)) return;
    for (const listener of listeners) {
      listener.end = stored;
      listener.wake?.(stored);
    }
  });

  function stop(id: string, listener: Listener): void {
    const listeners = byId.get(id);
    listeners?.delete(listener);
    if (listeners?.size === 0) byId.delete(id);
  }

  return {
    listen(id) {
      const listener: Listener = { end: undefined, wake: undefined };
      const listeners = byId.get(id) ?? new Set<Listener>();
      listeners.add(listener);
      byId.set(id, listeners);
      return {
        ended: (withinMs, signal) => waitForEnd(listener, withinMs, signal),
        stop: () => {
          stop(id, listener);
        },
      };
    },
    release() {
      for (const listeners of byId.values()) for (const listener of listeners) listener.wake?.(undefined);
    },
    get waiting() {
      return byId.size;
    },
  };
}

function waitForEnd(
  listener: Listener,
  withinMs: number,
  signal?: AbortSignal,
): Promise<StoredEntry | undefined> {
  if (listener.end !== undefined) return Promise.resolve(listener.end);
  if (signal?.aborted === true) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const finish = (end: StoredEntry | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      listener.wake = undefined;
      resolve(end);
    };
    const onAbort = () => {
      finish(undefined);
    };
    const timer = setTimeout(onAbort, withinMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    listener.wake = finish;
  });
}
