import type { StoredEntry } from "@interlude/event-log";
import { formatInstant } from "@interlude/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createOpenAsks, type OpenCount } from "./open-asks.ts";

function counter(snapshot: OpenCount | undefined) {
  let nowMs = 0;
  const asks = createOpenAsks(
    () => Promise.resolve(snapshot),
    () => nowMs,
  );
  return { asks, advance: (ms: number) => (nowMs += ms) };
}

function stored(sequence: number, type: "asked" | "cancelled", id: string): StoredEntry {
  const belonging = { interaction_id: id, group_id: "g", asker: "ann", mode: "sync" as const };
  const entry =
    type === "cancelled"
      ? { type, data: { ...belonging, at: formatInstant(0), cancelled_by: "ann" } }
      : {
          type,
          data: {
            ...belonging,
            question: "?",
            answer_format: "text" as const,
            format_payload: {},
            created_at: formatInstant(0),
            timeout_at: formatInstant(1_000),
            sensitive: false,
            fingerprint: "f",
          },
        };
  return {
    sequence,
    storedAtMs: 0,
    eventId: `e-${sequence}`,
    address: { channel: "inbox", partition: 0, id },
    entry,
  };
}

describe("the cap on open questions", () => {
  it("lets exactly as many through as there are places, however many ask at once", async () => {
    const { asks } = counter({ count: 0, sequence: 0 });
    const results = await Promise.all(
      ["a", "b", "c", "d", "e"].map((id) => asks.reserve("ann", "sync", id, 2)),
    );
    expect(results.filter(Boolean).length).toBe(2);
  });

  it("counts what was open before this process", async () => {
    const { asks } = counter({ count: 2, sequence: 10 });
    expect(await asks.reserve("ann", "sync", "a", 2)).toBe(false);
    expect(await asks.reserve("bob", "sync", "b", 3)).toBe(true);
  });

  it("gives a place back when a question ends, and counts no event twice", async () => {
    const { asks } = counter({ count: 1, sequence: 10 });
    expect(await asks.reserve("ann", "sync", "a", 2)).toBe(true);
    asks.observe(stored(11, "asked", "a"));
    expect(await asks.reserve("ann", "sync", "b", 2)).toBe(false);
    asks.observe(stored(12, "cancelled", "a"));
    expect(await asks.reserve("ann", "sync", "b", 2)).toBe(true);
  });

  it("gives a place back when the question was not asked after all", async () => {
    const { asks } = counter({ count: 0, sequence: 0 });
    expect(await asks.reserve("ann", "sync", "a", 1)).toBe(true);
    asks.giveBack("ann", "sync", "a");
    expect(await asks.reserve("ann", "sync", "b", 1)).toBe(true);
  });

  it("never refuses because the counter is away", async () => {
    const { asks } = counter(undefined);
    expect(await asks.reserve("ann", "sync", "a", 1)).toBe(true);
  });

  it("of 0 is no cap", async () => {
    const { asks } = counter({ count: 5_000, sequence: 1 });
    expect(await asks.reserve("ann", "sync", "a", 0)).toBe(true);
  });

  it("looks at the read model again after a while", async () => {
    const snapshot = { count: 1, sequence: 10 };
    const { asks, advance } = counter(snapshot);
    expect(await asks.reserve("ann", "sync", "a", 1)).toBe(false);
    snapshot.count = 0;
    advance(20_000);
    expect(await asks.reserve("ann", "sync", "a", 1)).toBe(true);
  });
});

describe("a counter that stays away", () => {
  it("costs a bounded memory, and the count goes on", async () => {
    const { asks } = counter(undefined);
    expect(await asks.reserve("ann", "sync", "q-0", 3)).toBe(true);
    for (let each = 0; each < 5_000; each++) {
      asks.observe(stored(2 * each + 1, "asked", `q-${each}`));
      if (each >= 2) asks.observe(stored(2 * each + 2, "cancelled", `q-${each}`));
    }
    expect(asks.held.changes).toBeLessThanOrEqual(1_000);
    expect(await asks.reserve("ann", "sync", "a", 3)).toBe(true);
    expect(await asks.reserve("ann", "sync", "b", 3)).toBe(false);
  });

  it("and then is behind is not counted twice with what it has missed", async () => {
    const snapshot = { count: 0, sequence: 0 };
    const { asks, advance } = counter(snapshot);
    expect(await asks.reserve("ann", "sync", "q-1", 2_000)).toBe(true);
    for (let each = 1; each <= 1_500; each++) asks.observe(stored(each, "asked", `q-${each}`));
    // The read model has come as far as the hundredth question.
    Object.assign(snapshot, { count: 100, sequence: 100 });
    advance(20_000);
    expect(await asks.reserve("ann", "sync", "a", 1_501)).toBe(true);
    expect(await asks.reserve("ann", "sync", "b", 1_501)).toBe(false);
    Object.assign(snapshot, { count: 1_500, sequence: 1_500 });
    advance(20_000);
    expect(await asks.reserve("ann", "sync", "c", 1_501)).toBe(false);
    expect(asks.held.changes).toBe(0);
  });

  it("leaves nothing of those who ask no more", async () => {
    const { asks, advance } = counter(undefined);
    await asks.reserve("ann", "sync", "a", 1);
    asks.observe(stored(1, "asked", "a"));
    advance(700_000);
    asks.observe(stored(2, "cancelled", "a"));
    expect(asks.held).toEqual({ books: 0, changes: 0 });
  });
});

describe("a counter that hangs", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("holds no ask up and refuses none, and counts from when it has answered", async () => {
    vi.useFakeTimers();
    let tell: ((count: OpenCount) => void) | undefined;
    const asks = createOpenAsks(
      () =>
        new Promise((resolve) => {
          tell = resolve;
        }),
      () => 0,
    );
    const first = asks.reserve("ann", "sync", "a", 2);
    await vi.advanceTimersByTimeAsync(300);
    expect(await first).toBe(true);
    tell?.({ count: 1, sequence: 10 });
    await vi.advanceTimersByTimeAsync(0);
    expect(await asks.reserve("ann", "sync", "b", 2)).toBe(false);
  });
});
