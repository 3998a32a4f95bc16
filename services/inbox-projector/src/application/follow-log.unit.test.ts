import { once } from "node:events";
import type { Batch, ProjectedEntry } from "@interlude/inbox-model";
import { ServiceFailure } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { BATCH_SIZE, type EntrySource, followLog, type ReadModel } from "./follow-log.ts";

const QUIET = { started: () => undefined, written: () => undefined, refused: () => undefined };

/** A log of the given sequences, after which nothing comes. */
function logOf(sequences: readonly number[], last = sequences.at(-1) ?? 0): EntrySource {
  return {
    isUp: () => true,
    lastSequence: () => Promise.resolve(last),
    async *read(fromSequence) {
      for (const sequence of sequences) if (sequence >= fromSequence) yield await entry(sequence);
    },
  };
}

function entry(sequence: number): Promise<ProjectedEntry> {
  return Promise.resolve({ sequence, entry: { unknownType: "any" } });
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function modelAt(position: number, write?: (batch: Batch) => Promise<boolean>) {
  const batches: Batch[] = [];
  let current = position;
  const model: ReadModel = {
    position: () => Promise.resolve(current),
    async write(batch, expected) {
      if (expected !== current || (await write?.(batch)) === false) return false;
      batches.push(batch);
      current = batch.sequence;
      return true;
    },
  };
  return { model, batches };
}

const NEVER = new AbortController().signal;

describe("following the log", () => {
  it("writes everything after the read model's position once, in order, in batches", async () => {
    const { model, batches } = modelAt(10);
    await followLog(logOf(upTo(3 * BATCH_SIZE)), model, NEVER, QUIET);
    expect(batches.reduce((sum, batch) => sum + batch.events, 0)).toBe(3 * BATCH_SIZE - 10);
    expect(batches.map((batch) => batch.sequence)).toEqual(
      batches.map((batch) => batch.sequence).toSorted((a, b) => a - b),
    );
    expect(Math.max(...batches.map((batch) => batch.events))).toBeLessThanOrEqual(BATCH_SIZE);
    expect(batches.at(-1)?.sequence).toBe(3 * BATCH_SIZE);
  });

  it("stops without writing on when the position was moved by somebody else", async () => {
    const { model, batches } = modelAt(0, () => Promise.resolve(false));
    await followLog(logOf(upTo(5)), model, NEVER, QUIET);
    expect(batches).toEqual([]);
  });

  it("refuses to begin when the read model is ahead of the log", async () => {
    const { model, batches } = modelAt(11);
    await expect(followLog(logOf(upTo(10)), model, NEVER, QUIET)).rejects.toMatchObject({
      code: "database_unfit",
      retry: "never",
      context: { projected: 11, last: 10 },
    });
    expect(batches).toEqual([]);
  });

  it("leaves out only the event that cannot be written", async () => {
    const refused: number[] = [];
    const { model, batches } = modelAt(0, (batch) => {
      const holdsIt = batch.skipped > 0 && batch.sequence >= 3 && batch.sequence - batch.events < 3;
      if (holdsIt && !refused.includes(3)) return Promise.reject(new TypeError("no such text"));
      return Promise.resolve(true);
    });
    const events = { ...QUIET, refused: (sequence: number) => void refused.push(sequence) };
    await followLog(logOf(upTo(5)), model, NEVER, events);
    expect(refused).toEqual([3]);
    expect(batches.at(-1)?.sequence).toBe(5);
  });

  it("throws the failure of a write, and writes nothing after it", async () => {
    const away = new ServiceFailure("database_unavailable", { retry: "later" });
    const { model, batches } = modelAt(0, () => Promise.reject(away));
    await expect(followLog(logOf(upTo(5)), model, NEVER, QUIET)).rejects.toBe(away);
    expect(batches).toEqual([]);
  });

  it("ends when it is told to stop, although nothing comes", async () => {
    const stopping = new AbortController();
    const silent: EntrySource = {
      ...logOf([]),
      async *read(_from, signal) {
        await once(signal, "abort");
        yield* [];
      },
    };
    const whenStarted = {
      ...QUIET,
      started: () =>
        void setImmediate(() => {
          stopping.abort();
        }),
    };
    await followLog(silent, modelAt(0).model, stopping.signal, whenStarted);
    await followLog(silent, modelAt(0).model, stopping.signal, QUIET);
  });
});
