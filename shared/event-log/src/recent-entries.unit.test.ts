import { describe, expect, it } from "vitest";
import type { StoredEntry } from "./interaction-store.ts";
import { createRecentEntries } from "./recent-entries.ts";

const SUBJECT = "interactions.asked.inbox.1.q";

function stored(sequence: number, storedAtMs = 1_000): StoredEntry {
  const address = { channel: "inbox", partition: 1, id: "q" };
  return { sequence, storedAtMs, eventId: "e", address, entry: { unknownType: "x" } };
}

describe("recent entries", () => {
  it("are found by sequence, subject and time", () => {
    const recent = createRecentEntries(4);
    const entry = stored(5);
    recent.add(SUBJECT, entry);
    expect(recent.find(5, SUBJECT, 1_000)).toBe(entry);
    expect(recent.find(1, SUBJECT, 1_000)).toBeUndefined();
  });

  it("are not those of a log that was made anew", () => {
    const recent = createRecentEntries(4);
    recent.add(SUBJECT, stored(5));
    expect(recent.find(5, "interactions.asked.inbox.1.other", 1_000)).toBeUndefined();
    expect(recent.find(5, SUBJECT, 2_000)).toBeUndefined();
  });

  it("are as many as were allowed", () => {
    const recent = createRecentEntries(4);
    for (const sequence of [1, 2, 3, 4, 5]) recent.add(SUBJECT, stored(sequence));
    expect(recent.find(1, SUBJECT, 1_000)).toBeUndefined();
    expect(recent.find(2, SUBJECT, 1_000)?.sequence).toBe(2);
  });
});
