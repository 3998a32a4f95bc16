import { setTimeout as delay } from "node:timers/promises";
import { type Batch, foldBatch, type ProjectedEntry } from "@interlude/inbox-model";
import { ServiceFailure } from "@interlude/kernel";
import { createEntryBuffer, type EntryBuffer } from "./entry-buffer.ts";

/** The log as the projector reads it. */
export interface EntrySource {
  isUp(): boolean;
  /** As the log's leader says. @throws ServiceFailure `log_unavailable` */
  lastSequence(): Promise<number>;
  /** In log order, first what is stored and then what comes; ends when aborted or when the connection was lost. */
  read(fromSequence: number, signal: AbortSignal): AsyncIterable<ProjectedEntry>;
}

/** The read model, held by one connection. Each method @throws ServiceFailure `database_unavailable` */
export interface ReadModel {
  /** The position that it includes. */
  position(): Promise<number>;
  /** Writes the batch if the position still is `expected`; else writes nothing and answers `false`. */
  write(batch: Batch, expected: number): Promise<boolean>;
}

export type FollowEvents = {
  /** The position is one of this log's, and what follows it is being read. */
  started: (position: number) => void;
  written: (batch: Batch) => void;
  /** Postgres refused what this event comes to, a defect of ours: it is left out and the rest goes on. */
  refused: (sequence: number, error: unknown) => void;
};

export const BATCH_SIZE = 1_000;
/** A batch begins at most this often; after a pause the first event is written at once. */
const BATCH_EVERY_MS = 20;
const CHECK_EVERY_MS = 1_000;

/**
 * Brings the read model up to the log and keeps it there until aborted. Returns early when the position was
 * moved by somebody else (a rebuild, another projector) or the log's connection was renewed: follow again.
 * @throws ServiceFailure of log or database; `database_unfit` when the read model is ahead of the log
 */
export async function followLog(
  source: EntrySource,
  model: ReadModel,
  signal: AbortSignal,
  events: FollowEvents,
): Promise<void> {
  const start = await model.position();
  await requireLogReaches(source, start);
  if (signal.aborted) return;
  events.started(start);
  const ours = new AbortController();
  const both = AbortSignal.any([signal, ours.signal]);
  const buffer = createEntryBuffer<ProjectedEntry>(BATCH_SIZE);
  const writer = createWriter(model, start, events);
  both.addEventListener("abort", () => {
    buffer.end();
  });

  async function pump(): Promise<void> {
    try {
      for await (const entry of source.read(start + 1, both)) await buffer.push(entry);
      buffer.end();
    } catch (error) {
      buffer.fail(error);
    }
  }

  async function watch(): Promise<void> {
    try {
      while (await paused(CHECK_EVERY_MS, both)) {
        if (!source.isUp())
          throw new ServiceFailure("log_unavailable", { retry: "later", message: "NATS is away" });
        if (await writer.isElsewhere()) buffer.end();
      }
    } catch (error) {
      buffer.fail(error);
    }
  }

  const background = Promise.all([pump(), watch()]);
  try {
    await writeAll(buffer, writer);
  } finally {
    ours.abort();
    await background;
  }
}

/** Folds the next batch while the one before is being written. */
async function writeAll(buffer: EntryBuffer<ProjectedEntry>, writer: Writer): Promise<void> {
  let running: Promise<boolean> = Promise.resolve(true);
  let gate: Promise<unknown> = running;
  try {
    for (;;) {
      const entries = await buffer.take(gate);
      const batch = foldBatch(entries);
      if (!(await running) || entries.length === 0) return;
      running = writer.write(entries, batch);
      endWhenNotOurs(running, buffer);
      gate = Promise.all([running, delay(BATCH_EVERY_MS)]);
    }
  } finally {
    // Its failure, if any, is what the buffer was told and `take` throws.
    await running.catch(() => undefined);
  }
}

function endWhenNotOurs(running: Promise<boolean>, buffer: EntryBuffer<ProjectedEntry>): void {
  running.then(
    (isOurs) => {
      if (!isOurs) buffer.end();
    },
    (error: unknown) => {
      buffer.fail(error);
    },
  );
}

type Writer = {
  write(entries: readonly ProjectedEntry[], batch: Batch): Promise<boolean>;
  /** Was the position moved by somebody else? */
  isElsewhere(): Promise<boolean>;
};

function createWriter(model: ReadModel, start: number, events: FollowEvents): Writer {
  let position = start;

  async function writeOne(batch: Batch): Promise<boolean> {
    if (!(await model.write(batch, position))) return false;
    position = batch.sequence;
    events.written(batch);
    return true;
  }

  /** One by one, so that only the event that Postgres refuses is left out. */
  async function writeSingly(entries: readonly ProjectedEntry[]): Promise<boolean> {
    for (const entry of entries) {
      try {
        if (!(await writeOne(foldBatch([entry])))) return false;
      } catch (error) {
        if (error instanceof ServiceFailure) throw error;
        events.refused(entry.sequence, error);
        const skipped = { sequence: entry.sequence, entry: { unknownType: "refused" } };
        if (!(await writeOne(foldBatch([skipped])))) return false;
      }
    }
    return true;
  }

  return {
    async write(entries, batch) {
      try {
        return await writeOne(batch);
      } catch (error) {
        if (error instanceof ServiceFailure) throw error;
        return await writeSingly(entries);
      }
    },
    async isElsewhere() {
      const expected = position;
      const found = await model.position();
      // A batch that was written in between moved both.
      return found !== expected && position === expected;
    },
  };
}

async function requireLogReaches(source: EntrySource, position: number): Promise<void> {
  const last = await source.lastSequence();
  if (last >= position) return;
  throw new ServiceFailure("database_unfit", {
    retry: "never",
    context: { projected: position, last },
    message: `the inbox's read model includes sequence ${position}, but the log ends at ${last}: the log was replaced or has lost its end, so rebuild the read model`,
  });
}

/** `false` when aborted. */
async function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
