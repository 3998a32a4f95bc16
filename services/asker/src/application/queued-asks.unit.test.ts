import { formatInstant } from "@interlude/contract";
import type { StoredEntry } from "@interlude/event-log";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createQueuedAsks, type QueueSnapshot } from "./queued-asks.ts";

const ADA = { channel: "sms", address: "+15550001001" };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function counter(snapshot: QueueSnapshot | undefined) {
  let nowMs = 0;
  const found = { snapshot };
  const asks = createQueuedAsks(() => Promise.resolve(found.snapshot), { nowMs: () => nowMs });
  return {
    asks,
    found,
    advance: async (ms: number): Promise<void> => {
      nowMs += ms;
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}

function stored(sequence: number, type: "asked" | "cancelled", id: string): StoredEntry {
  const belonging = { interaction_id: id, group_id: "g", asker: "ann", mode: "sync" as const };
  const asked = {
    ...{ question: "?", answer_format: "text" as const, format_payload: {}, sensitive: false },
    ...{ created_at: formatInstant(0), timeout_at: formatInstant(60_000), fingerprint: "f" },
  };
  return {
    ...{ sequence, storedAtMs: 0, eventId: `e-${sequence}`, address: { channel: "sms", partition: 0, id } },
    entry:
      type === "cancelled"
        ? { type, data: { ...belonging, at: formatInstant(0), cancelled_by: "ann" } }
        : { type, data: { ...belonging, ...asked, ...ADA, recipient: ADA.address } },
  };
}

describe("the cap on questions that wait for one person", () => {
  it("lets exactly as many through as there are places, however many ask at once", async () => {
    const { asks } = counter({ ids: [], sequence: 0 });
    const results = await Promise.all(["a", "b", "c", "d"].map((id) => asks.reserve(ADA, id, 2)));
    expect(results.filter(Boolean)).toHaveLength(2);
  });

  it("counts what other processes have asked, for this person alone", async () => {
    const { asks } = counter({ ids: ["x", "y"], sequence: 10 });
    expect(await asks.reserve(ADA, "a", 2)).toBe(false);
    expect(await asks.reserve({ ...ADA, channel: "whatsapp" }, "b", 3)).toBe(true);
  });

  it("counts a question once, whoever tells of it, and no more when it has ended", async () => {
    const { asks, found, advance } = counter({ ids: ["x"], sequence: 10 });
    expect(await asks.reserve(ADA, "a", 2)).toBe(true);
    asks.observe(stored(11, "asked", "a"));
    found.snapshot = { ids: ["x", "a"], sequence: 11 };
    await advance(11_000);
    expect(await asks.reserve(ADA, "b", 2)).toBe(false);
    asks.observe(stored(12, "cancelled", "x"));
    expect(await asks.reserve(ADA, "b", 2)).toBe(true);
  });

  it("gives back the place of a question that was not stored, and of one past its deadline", async () => {
    const { asks, advance } = counter({ ids: [], sequence: 0 });
    expect(await asks.reserve(ADA, "a", 1)).toBe(true);
    asks.giveBack(ADA, "a");
    expect(await asks.reserve(ADA, "b", 1)).toBe(true);
    asks.observe(stored(1, "asked", "b"));
    expect(await asks.reserve(ADA, "c", 1)).toBe(false);
    await advance(60_001);
    expect(await asks.reserve(ADA, "c", 1)).toBe(true);
  });

  it("refuses nobody while the read model is away", async () => {
    const { asks } = counter(undefined);
    expect(await asks.reserve(ADA, "a", 1)).toBe(true);
  });
});
