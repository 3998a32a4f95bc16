import type { StoredEntry } from "./interaction-store.ts";

/** The events read last, by their sequence. */
export interface RecentEntries {
  /** Only what was stored on this subject at this moment: a log made anew counts from 1 again. */
  find(sequence: number, subject: string, storedAtMs: number): StoredEntry | undefined;
  add(subject: string, stored: StoredEntry): void;
}

export function createRecentEntries(size: number): RecentEntries {
  const slots: ({ subject: string; stored: StoredEntry } | undefined)[] = Array.from({ length: size });
  return {
    find(sequence, subject, storedAtMs) {
      const slot = slots[sequence % size];
      if (slot?.stored.sequence !== sequence || slot.subject !== subject) return undefined;
      return slot.stored.storedAtMs === storedAtMs ? slot.stored : undefined;
    },
    add(subject, stored) {
      slots[stored.sequence % size] = { subject, stored };
    },
  };
}
