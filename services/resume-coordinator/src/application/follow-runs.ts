import { setTimeout as delay } from "node:timers/promises";
import { ServiceFailure } from "@interlude/kernel";
import {
  foldRunBatch,
  type ParkRow,
  type Positions,
  type RunBatch,
  type RunModelEntry,
} from "@interlude/run-model";
import { createMergedEntries, type MergedEntries } from "./merged-entries.ts";

/** Both streams as the coordinator reads them. */
export interface RunSource {
  isUp(): boolean;
  /** As the streams' leaders say. @throws ServiceFailure `log_unavailable` */
  lastPositions(): Promise<Positions>;
  /** One stream in its order, first what is stored and then what comes; ends when aborted or the connection was lost. */
  read(stream: keyof Positions, fromSequence: number, signal: AbortSignal): AsyncIterable<RunModelEntry>;
}

/** The read model, held by one connection. Each method @throws ServiceFailure `database_unavailable` */
export interface RunModel {
  positions(): Promise<Positions>;
  /** The parks that are to be resumed by it; `undefined`: nothing is written, the positions are not the batch's. */
  write(batch: RunBatch): Promise<readonly ParkRow[] | undefined>;
  /** Parks whose questions have ended and whose resume is not known to be requested, after the one given. */
  ready(after: number): Promise<readonly ParkRow[]>;
}

export type FollowEvents = {
  started: (positions: Positions) => void;
  written: (batch: RunBatch) => void;
  /** Postgres refused what this event comes to, a defect of ours: it is left out and the rest goes on. */
  refused: (entry: RunModelEntry, error: unknown) => void;
};

/** Between two batches passes at least this, and as long as the last one took: the doors come first. */
const REST_MS = 2;
const CHECK_EVERY_MS = 1_000;
/** Events that concern no run are passed over with the next that does, or after this time. */
const PASS_OVER_WITHIN_MS = 100;

/**
 * Brings the model up to both streams and keeps it there until aborted, and has every park resumed whose last
 * question has ended. Returns early when the positions were moved by somebody else or a connection was renewed.
 * @throws ServiceFailure of log or database; `database_unfit` when the model is ahead of the log
 */
export async function followRuns(
  source: RunSource,
  model: RunModel,
  release: (parks: readonly ParkRow[]) => Promise<void>,
  signal: AbortSignal,
  events: FollowEvents,
): Promise<void> {
  let positions = await model.positions();
  await requireLogReaches(source, positions);
  events.started(positions);
  await releaseForgotten(model, release, signal);

  const ours = new AbortController();
  const both = AbortSignal.any([signal, ours.signal]);
  const from = positions;
  const entries = createMergedEntries(
    (["interactions", "runs"] as const).map((stream) => source.read(stream, from[stream] + 1, both)),
    both,
  );
  const watching = watch(source, model, () => positions, both).then(
    () => {
      ours.abort();
    },
    (error: unknown) => {
      entries.fail(error);
    },
  );
  const next = createNextToWrite(entries, () => positions);
  try {
    for (let some = await next(); some.length > 0; some = await next()) {
      const begun = performance.now();
      const ready = await writeBatch(model, positions, some, events);
      const wroteMs = performance.now() - begun;
      if (ready === undefined) return;
      positions = ready.to;
      await release(ready.parks);
      await delay(Math.max(REST_MS, wroteMs));
    }
  } finally {
    ours.abort();
    await Promise.all([watching, entries.closed()]);
  }
}

/**
 * What the next transaction is about. Most questions are answered while their caller waits: transactions for
 * those alone would be most of all.
 */
function createNextToWrite(entries: Pick<MergedEntries, "take">, positions: () => Positions) {
  let taking: Promise<RunModelEntry[]> | undefined;

  return async function nextToWrite(): Promise<RunModelEntry[]> {
    let some: RunModelEntry[] = [];
    let passed: Promise<undefined> | undefined;
    for (;;) {
      taking ??= entries.take();
      // Awaited below, or by the next call: its failure is told there.
      taking.catch(() => undefined);
      const taken = await (passed === undefined ? taking : Promise.race([taking, passed]));
      if (taken === undefined) return some;
      taking = undefined;
      if (taken.length === 0) return taken;
      some = some.concat(taken);
      if (!concernsNoRun(foldRunBatch(positions(), some))) return some;
      passed ??= delay(PASS_OVER_WITHIN_MS, undefined);
    }
  };
}

function concernsNoRun({ asked, ended, parked, changed, skipped, from, to }: RunBatch): boolean {
  return (
    asked.length + ended.length + parked.length + changed.length + skipped === 0 && from.runs === to.runs
  );
}

/** Their request was lost with the process, or the log was away, after the batch was written. */
async function releaseForgotten(
  model: RunModel,
  release: (parks: readonly ParkRow[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let after = 0;
  while (!signal.aborted) {
    const parks = await model.ready(after);
    if (parks.length === 0) return;
    await release(parks);
    after = parks.at(-1)?.parkSeq ?? after;
  }
}

type Written = { to: Positions; parks: readonly ParkRow[] };

async function writeBatch(
  model: RunModel,
  from: Positions,
  entries: readonly RunModelEntry[],
  events: FollowEvents,
): Promise<Written | undefined> {
  try {
    return await writeOne(model, foldRunBatch(from, entries), events);
  } catch (error) {
    if (error instanceof ServiceFailure) throw error;
    return writeSingly(model, from, entries, events);
  }
}

async function writeOne(
  model: RunModel,
  batch: RunBatch,
  events: FollowEvents,
): Promise<Written | undefined> {
  const parks = await model.write(batch);
  if (parks === undefined) return undefined;
  events.written(batch);
  return { to: batch.to, parks };
}

/** One by one, so that only the event that Postgres refuses is left out. */
async function writeSingly(
  model: RunModel,
  from: Positions,
  entries: readonly RunModelEntry[],
  events: FollowEvents,
): Promise<Written | undefined> {
  let to = from;
  const parks: ParkRow[] = [];
  for (const entry of entries) {
    let written: Written | undefined;
    try {
      written = await writeOne(model, foldRunBatch(to, [entry]), events);
    } catch (error) {
      if (error instanceof ServiceFailure) throw error;
      events.refused(entry, error);
      const { stream, sequence } = entry;
      const unknown = { sequence, entry: { unknownType: "refused" } };
      const skipped: RunModelEntry = stream === "runs" ? { stream, ...unknown } : { stream, ...unknown };
      written = await writeOne(model, foldRunBatch(to, [skipped]), events);
    }
    if (written === undefined) return undefined;
    to = written.to;
    parks.push(...written.parks);
  }
  return { to, parks };
}

/** Ends when the positions were moved by somebody else, a rebuild. */
async function watch(
  source: RunSource,
  model: RunModel,
  expected: () => Positions,
  signal: AbortSignal,
): Promise<void> {
  while (await paused(CHECK_EVERY_MS, signal)) {
    if (!source.isUp())
      throw new ServiceFailure("log_unavailable", { retry: "later", message: "NATS is away" });
    const before = expected();
    const found = await model.positions();
    // A batch that was written in between moved both.
    if (before === expected() && (found.runs !== before.runs || found.interactions !== before.interactions))
      return;
  }
}

async function requireLogReaches(source: RunSource, positions: Positions): Promise<void> {
  const last = await source.lastPositions();
  for (const stream of ["interactions", "runs"] as const) {
    if (last[stream] >= positions[stream]) continue;
    throw new ServiceFailure("database_unfit", {
      retry: "never",
      context: { stream, projected: positions[stream], last: last[stream] },
      message: `the read model of runs includes sequence ${positions[stream]} of ${stream}, but the log ends at ${last[stream]}: the log was replaced or has lost its end, so rebuild the read model`,
    });
  }
}

/** `false` when aborted. */
async function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
