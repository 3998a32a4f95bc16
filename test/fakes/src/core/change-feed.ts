/** Tells open chat pages that something is new. */
export interface ChangeFeed {
  readonly changed: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<() => void>();
  return {
    changed() {
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
