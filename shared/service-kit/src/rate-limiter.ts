/** How many times a minute something may happen, by a key of the caller's choice. */
export interface RateLimiter {
  /** Counts one; `undefined` when there was room, else the whole seconds until there is room again. */
  take(key: string): number | undefined;
}

const WINDOW_MS = 60_000;
/** Keys held at a time. Strangers choose some of them, so that their number must not. */
const MAX_KEYS = 50_000;

/** Counts in this process's memory, in windows of a minute that begin with a key's first use. */
export function createRateLimiter(options: {
  perMinute: number;
  nowMs: () => number;
  maxKeys?: number;
}): RateLimiter {
  const { perMinute, nowMs, maxKeys = MAX_KEYS } = options;
  // In order of their windows' beginnings: the oldest ones come first and go first.
  const windows = new Map<string, { endsAtMs: number; taken: number }>();

  function forget(now: number): void {
    for (const [key, { endsAtMs }] of windows) {
      if (endsAtMs > now && windows.size < maxKeys) return;
      windows.delete(key);
    }
  }

  return {
    take(key) {
      const now = nowMs();
      const known = windows.get(key);
      if (known === undefined || known.endsAtMs <= now) {
        windows.delete(key);
        forget(now);
        windows.set(key, { endsAtMs: now + WINDOW_MS, taken: 1 });
        return undefined;
      }
      if (known.taken >= perMinute) return Math.ceil((known.endsAtMs - now) / 1_000);
      known.taken += 1;
      return undefined;
    },
  };
}
