import type { LastEventId } from "@interlude/contract";
import type { Actor } from "@interlude/domain";
import type { StoredEntry, Tail, TailListener } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { generateKeyring, parseKeyring } from "@interlude/secrets";
import { createMetrics, recordingLogger } from "@interlude/service-kit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStreamHub, type StreamHub } from "./stream-hub.ts";

const OLGA = { kind: "subject", subject: "olga", roles: ["operator"], groups: [] } as const;

function cancelled(sequence: number): StoredEntry {
  const id = `question-${sequence}`;
  return {
    sequence,
    storedAtMs: 0,
    eventId: `e-${sequence}`,
    address: { channel: "inbox", partition: 0, id },
    entry: {
      type: "cancelled",
      data: {
        interaction_id: id,
        group_id: "g",
        asker: "ann",
        mode: "sync",
        at: "2026-01-01T00:00:00.000Z",
        cancelled_by: "ann",
      },
    },
  };
}

type ReadLog = (from: number, batch: number) => Promise<StoredEntry[]>;

/** A hub on a log of a hundred events, of which the test says how they are read. */
function hubOver(readLog: ReadLog, { firstSequence = 1, lastSequence = 100, resumeWindow = 1_000 } = {}) {
  const listeners = new Set<TailListener>();
  const tail: Tail = {
    position: 100,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => Promise.resolve(),
  };
  const metrics = createMetrics();
  const logger = recordingLogger();
  const hub = createStreamHub({
    tail,
    links: { baseUrl: undefined, keyring: parseKeyring(generateKeyring(), "KEYS") },
    logger,
    metrics,
    keepaliveMs: 1_000,
    resumeWindow,
    logBounds: () => Promise.resolve({ firstSequence, lastSequence }),
    readLog,
  });
  const open = async () => (await metrics.openStreams.get()).values[0]?.value ?? 0;
  const tell = (sequence: number, stored = cancelled(sequence)) => {
    for (const listener of listeners) listener(stored);
  };
  return { hub, logger, open, tell };
}

function client(hub: StreamHub, after: LastEventId = { kind: "after", sequence: 10 }, reader: Actor = OLGA) {
  const gone = new AbortController();
  const written: string[] = [];
  let isValid = true;
  let ends = 0;
  let room: Promise<void> = Promise.resolve();
  const sink = {
    backlogBytes: 0,
    write: (bytes: Uint8Array) => {
      written.push(Buffer.from(bytes).toString());
    },
    drained: () => room,
    end: () => {
      ends++;
    },
  };
  const joined = hub.join({ reader, sink, isValid: () => isValid, after, gone: gone.signal });
  return {
    joined,
    gone,
    sink,
    ends: () => ends,
    written,
    positions: () => [...written.join("").matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
    keepalives: () => written.filter((text) => text.includes("keepalive")).length,
    revoke: () => (isValid = false),
    /** From now on the reader takes nothing. */
    block: () => {
      room = never();
    },
  };
}

/** As `cancelled`, of a question that only `audience` and its asker may see. */
function cancelledFor(audience: string, sequence: number): StoredEntry {
  const stored = cancelled(sequence);
  if ("unknownType" in stored.entry || stored.entry.type !== "cancelled") return stored;
  return { ...stored, entry: { type: "cancelled", data: { ...stored.entry.data, audience } } };
}

const never = <T>() => new Promise<T>(() => undefined);

describe("a stream that replays", () => {
  let hub: StreamHub | undefined;

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    hub?.close();
    vi.useRealTimers();
  });

  it("ends cleanly when the log goes away, and counts no more", async () => {
    let reads = 0;
    const world = hubOver((from) => {
      if (reads++ === 0) return Promise.resolve([cancelled(from)]);
      return Promise.reject(new ServiceFailure("log_unavailable", { retry: "later" }));
    });
    hub = world.hub;
    const one = client(hub);
    await one.joined;
    expect(one.positions()).toEqual([11]);
    expect([one.ends(), await world.open(), hub.clients]).toEqual([1, 0, 0]);
    expect(world.logger.lines).toMatchObject([
      { level: "warn", message: "a replay failed; its stream ends" },
    ]);
  });

  it("ends when a read of the log never comes back", async () => {
    const world = hubOver(() => never());
    hub = world.hub;
    const one = client(hub);
    await vi.advanceTimersByTimeAsync(11_000);
    await one.joined;
    expect([one.ends(), await world.open()]).toEqual([1, 0]);
  });

  it("ends within moments of its credential, even while its reader reads nothing", async () => {
    const world = hubOver((from) => Promise.resolve([cancelled(from)]));
    hub = world.hub;
    const one = client(hub);
    one.block();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(one.ends()).toBe(0);
    one.revoke();
    await vi.advanceTimersByTimeAsync(2_000);
    expect([one.ends(), await world.open()]).toEqual([1, 0]);
  });

  it("is let go when its client is gone, before or while it joins", async () => {
    const world = hubOver(() => never());
    hub = world.hub;
    const early = client(hub);
    early.gone.abort();
    await early.joined;
    const late = client(hub);
    await vi.advanceTimersByTimeAsync(10);
    expect(await world.open()).toBe(1);
    late.gone.abort();
    expect([late.ends(), await world.open(), hub.clients]).toEqual([1, 0, 0]);
  });

  it("ends with its process", async () => {
    const world = hubOver(() => never());
    hub = world.hub;
    const one = client(hub);
    await vi.advanceTimersByTimeAsync(10);
    const joining = client(hub);
    hub.close();
    await joining.joined;
    expect([one.ends(), joining.ends(), await world.open()]).toEqual([1, 1, 0]);
  });

  it("A-NATS-3: goes on with a log made anew, which counts from 1 again", async () => {
    const world = hubOver((from) => Promise.resolve([cancelled(from)]));
    hub = world.hub;
    const one = client(hub, { kind: "absent" });
    await one.joined;
    for (const sequence of [101, 102, 1, 2]) world.tell(sequence);
    await vi.advanceTimersByTimeAsync(100);
    expect(one.positions()).toEqual([101, 102, 1, 2]);
  });

  it("A-NATS-3: what was read of a log made anew is not told again by a tail that finds it later", async () => {
    const world = hubOver((from) => Promise.resolve(from === 1 ? [cancelled(1)] : []), { lastSequence: 0 });
    hub = world.hub;
    world.tell(100);
    const one = client(hub, { kind: "absent" });
    await one.joined;
    for (const sequence of [1, 2]) world.tell(sequence);
    await vi.advanceTimersByTimeAsync(100);
    expect(one.positions()).toEqual([1, 2]);
  });

  it("writes nothing after its end", async () => {
    let answerRead: (entries: StoredEntry[]) => void = () => undefined;
    const world = hubOver(() => new Promise((resolve) => (answerRead = resolve)));
    hub = world.hub;
    const one = client(hub);
    await vi.advanceTimersByTimeAsync(10);
    one.gone.abort();
    answerRead([cancelled(11)]);
    await one.joined;
    expect(one.positions()).toEqual([]);
  });

  it("is not told live events before what it missed, and misses none of them", async () => {
    let finishRead: () => void = () => undefined;
    const world = hubOver((from) => {
      if (from < 100)
        return new Promise(
          (resolve) =>
            (finishRead = () => {
              resolve([cancelled(from), cancelled(100)]);
            }),
        );
      return Promise.resolve([]);
    });
    hub = world.hub;
    const one = client(hub);
    await vi.advanceTimersByTimeAsync(10);
    world.tell(11);
    await vi.advanceTimersByTimeAsync(200);
    expect(one.positions()).toEqual([]);
    finishRead();
    await one.joined;
    world.tell(101);
    await vi.advanceTimersByTimeAsync(200);
    expect(one.positions()).toEqual([11, 100, 101]);
  });

  it("goes live where what it missed has been purged", async () => {
    const world = hubOver(() => Promise.resolve([]));
    hub = world.hub;
    const one = client(hub);
    await one.joined;
    world.tell(101);
    await vi.advanceTimersByTimeAsync(200);
    expect(one.positions()).toEqual([101]);
  });

  it("goes on at the first kept event where what follows its id was purged, without a warning", async () => {
    const kept = (from: number) =>
      Array.from({ length: 101 - from }, (_, each) => cancelled(from + each)).filter(
        ({ sequence }) => sequence >= 98,
      );
    const world = hubOver((from) => Promise.resolve(kept(from)), { firstSequence: 98 });
    hub = world.hub;
    const one = client(hub);
    await one.joined;
    world.tell(101);
    await vi.advanceTimersByTimeAsync(200);
    expect(one.positions()).toEqual([98, 99, 100, 101]);
    expect(one.written[0]).toBe(": connected\n\n");
    expect(world.logger.lines).toEqual([]);
  });

  it("goes on from the end where its id lies before the resume window, and says so", async () => {
    const world = hubOver((from) => Promise.resolve([cancelled(from)]), { resumeWindow: 89 });
    hub = world.hub;
    const one = client(hub);
    await one.joined;
    world.tell(101);
    await vi.advanceTimersByTimeAsync(200);
    expect(one.positions()).toEqual([101]);
    expect(one.written[0]).toBe(": connected\n: not resumed\n\n");
    expect(world.logger.lines).toMatchObject([{ level: "warn" }]);
  });

  it.each<[string, LastEventId]>([
    ["is malformed", { kind: "malformed" }],
    ["lies in the future", { kind: "after", sequence: 9_999_999 }],
  ])("goes on from the end where its id %s, and tells its client so", async (_what, after) => {
    const world = hubOver((from) => Promise.resolve([cancelled(from)]));
    hub = world.hub;
    const one = client(hub, after);
    await one.joined;
    expect(one.written).toEqual([": connected\n: not resumed\n\n"]);
  });

  it("that never was is not told that it was not resumed", async () => {
    const world = hubOver((from) => Promise.resolve([cancelled(from)]));
    hub = world.hub;
    const one = client(hub, { kind: "absent" });
    await one.joined;
    expect(one.written).toEqual([": connected\n\n"]);
  });

  it("gets no keepalive on top of bytes that its reader has not taken", async () => {
    const world = hubOver((from) => Promise.resolve([cancelled(from)]));
    hub = world.hub;
    const one = client(hub);
    one.block();
    await vi.advanceTimersByTimeAsync(10);
    one.sink.backlogBytes = 2_000_000;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([one.keepalives(), one.ends()]).toEqual([0, 0]);
    one.sink.backlogBytes = 0;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(one.keepalives()).toBeGreaterThan(0);
  });
});

describe("a live stream", () => {
  let hub: StreamHub | undefined;

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    hub?.close();
    vi.useRealTimers();
  });

  const EVE = { ...OLGA, subject: "eve", roles: ["answerer"] } as const;
  const BOB = { ...EVE, subject: "bob" } as const;
  const ABSENT = { kind: "absent" } as const;

  it("shows each reader what they may see, however many read at once", async () => {
    const world = hubOver(() => Promise.resolve([]));
    hub = world.hub;
    const of = (reader: Actor) => client(world.hub, ABSENT, reader);
    const readers = [of(OLGA), of(EVE), of(BOB), of(EVE)];
    await Promise.all(readers.map(({ joined }) => joined));
    world.tell(101);
    world.tell(102, cancelledFor("eve", 102));
    world.tell(103, cancelledFor("bob", 103));
    await vi.advanceTimersByTimeAsync(100);
    expect(readers.map(({ positions }) => positions())).toEqual([
      [101, 102, 103],
      [101, 102],
      [101, 103],
      [101, 102],
    ]);
  });

  it("writes nothing again that was there when a reader joined", async () => {
    const world = hubOver(() => Promise.resolve([]));
    hub = world.hub;
    const first = client(hub, { kind: "after", sequence: 98 });
    await first.joined;
    world.tell(99);
    const second = client(hub, ABSENT);
    await second.joined;
    world.tell(101);
    await vi.advanceTimersByTimeAsync(100);
    expect([first.positions(), second.positions()]).toEqual([[101], [101]]);
  });

  it("tells a lone event at once, and gathers those that follow for no longer than a moment", async () => {
    const world = hubOver(() => Promise.resolve([]));
    hub = world.hub;
    const many = Array.from({ length: 2_000 }, () => client(world.hub, ABSENT));
    await Promise.all(many.map(({ joined }) => joined));
    const seen = () => new Set(many.map(({ positions }) => positions().length));
    world.tell(101);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen()).toEqual(new Set([1]));
    for (let sequence = 102; sequence < 112; sequence++) world.tell(sequence);
    await vi.advanceTimersByTimeAsync(100);
    expect(seen()).toEqual(new Set([1]));
    await vi.advanceTimersByTimeAsync(85);
    expect(seen()).toEqual(new Set([11]));
    expect(new Set(many.map(({ written }) => written.length))).toEqual(new Set([3]));
  });
});
