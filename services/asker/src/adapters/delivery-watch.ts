import { isDeliveryEvent } from "@interlude/contract";
import type { StoredEntry, Tail } from "@interlude/event-log";

/** Wakes callers that wait for what becomes of a channel's question. */
export interface DeliveryWatch {
  /** Starts to listen before the caller reads. `changed` resolves at the next event, in time or not. */
  listen(id: string): { changed(withinMs: number, signal: AbortSignal): Promise<void>; stop(): void };
  /** Lets every waiting caller go, for a process that stops. */
  release(): void;
  stop(): void;
}

type Listener = { hasChanged: boolean; wake: (() => void) | undefined };

export function createDeliveryWatch(tail: Tail): DeliveryWatch {
  const byId = new Map<string, Set<Listener>>();

  function tell({ entry, address }: StoredEntry): void {
    if ("unknownType" in entry) return;
    // That an attempt began tells nobody anything.
    if (isDeliveryEvent(entry) && entry.type === "delivery_started") return;
    for (const listener of byId.get(address.id) ?? []) {
      listener.hasChanged = true;
      listener.wake?.();
    }
  }

  const unsubscribe = tail.subscribe(tell);
  let isReleased = false;

  function changed(listener: Listener, withinMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        listener.wake = undefined;
        listener.hasChanged = false;
        resolve();
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
