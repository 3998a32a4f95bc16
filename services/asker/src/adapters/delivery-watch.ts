import type { StoredEntry, Tail } from "@interlude/event-log";

/** Wakes callers that wait for what becomes of a channel's question. */
export interface DeliveryWatch {
  /**
   * Starts to listen before the caller reads. `changed` resolves with `true` at the next event, and with `false` when
   * none came in time, or the caller or this process goes.
   */
  listen(id: string): { changed(withinMs: number, signal: AbortSignal): Promise<boolean>; stop(): void };
  /** Lets every waiting caller go, for a process that stops. */
  release(): void;
  stop(): void;
}

type Listener = { hasChanged: boolean; wake: (() => void) | undefined };

export function createDeliveryWatch(tail: Tail): DeliveryWatch {
  const byId = new Map<string, Set<Listener>>();

  function tell({ entry, address }: StoredEntry): void {
    // That it was asked, or an attempt began, tells nobody anything.
    if ("unknownType" in entry || entry.type === "asked" || entry.type === "delivery_started") return;
    for (const listener of byId.get(address.id) ?? []) {
      listener.hasChanged = true;
      listener.wake?.();
    }
  }

  const unsubscribe = tail.subscribe(tell);
  let isReleased = false;

  function changed(listener: Listener, withinMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (): void => {
        const isNews = listener.hasChanged;
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        listener.wake = undefined;
        listener.hasChanged = false;
        resolve(isNews);
      };
      const timer = setTimeout(finish, withinMs);
      signal.addEventListener("abort", finish, { once: true });
      listener.wake = finish;
      if (listener.hasChanged || isReleased || signal.aborted) finish();
    });
  }

  return {
    listen(id) {
      const listener: Listener = { hasChanged: false, wake: undefined };
      const listeners = byId.get(id) ?? new Set<Listener>();
      listeners.add(listener);
      byId.set(id, listeners);
      return {
        changed: (withinMs, signal) => changed(listener, withinMs, signal),
        stop() {
          listeners.delete(listener);
          if (listeners.size === 0) byId.delete(id);
        },
      };
    },
    release() {
      isReleased = true;
      for (const listeners of byId.values()) for (const listener of listeners) listener.wake?.();
    },
    stop: unsubscribe,
  };
}
