import type { Lease, LeaseStore } from "@interlude/event-log";

/** Leases as the log keeps them, with a clock that tests move. */
export function memoryLeases(nowMs: () => number, ttlMs = 9_000): LeaseStore & { isAway: boolean } {
  const kept = new Map<string, Lease & { untilMs: number }>();
  let sequence = 0;
  const store = {
    ttlMs,
    isAway: false,
    list: (prefix: string) => {
      if (store.isAway) return Promise.reject(new Error("away"));
      for (const [key, { untilMs }] of kept) if (untilMs <= nowMs()) kept.delete(key);
      return Promise.resolve([...kept.values()].filter(({ key }) => key.startsWith(`${prefix}.`)));
    },
    async hold(key: string, holder: string, revision: number) {
      await store.list("");
      if ((kept.get(key)?.revision ?? 0) !== revision) return { status: "conflict" } as const;
      kept.set(key, { key, holder, revision: ++sequence, untilMs: nowMs() + ttlMs });
      return { status: "appended", sequence } as const;
    },
    async giveBack(key: string, revision: number) {
      await store.hold(key, "", revision);
    },
  };
  return store;
}
