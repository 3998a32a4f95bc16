import type { InteractionEvent } from "@interlude/contract";
import type { Positions, RunBatch, RunModelEntry } from "@interlude/run-model";
import { describe, expect, it } from "vitest";
import { followRuns, type RunModel, type RunSource } from "./follow-runs.ts";

const BELONGING = { group_id: "g", asker: "ann", at: "2026-01-01T00:00:00.000Z" };

function ended(sequence: number, mode: "sync" | "async"): RunModelEntry {
  const data = { ...BELONGING, interaction_id: `q-${sequence}`, mode };
  const entry: InteractionEvent = { type: "expired", data };
  return { stream: "interactions", sequence, entry };
}

/** Gives each entry a turn of its own, and then nothing more until it is aborted. */
function sourceOf(entries: readonly RunModelEntry[]): RunSource {
  return {
    isUp: () => true,
    lastPositions: () => Promise.resolve({ interactions: entries.length, runs: 0 }),
    async *read(stream, _fromSequence, signal) {
      for (const entry of stream === "interactions" ? entries : []) {
        yield entry;
        await new Promise((resolve) => setImmediate(resolve));
      }
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else
          signal.addEventListener(
            "abort",
            () => {
              resolve();
            },
            { once: true },
          );
      });
    },
  };
}

/** What is written until the first batch. */
async function firstWritten(entries: readonly RunModelEntry[]): Promise<RunBatch | undefined> {
  let written: RunBatch | undefined;
  let positions: Positions = { interactions: 0, runs: 0 };
  const stop = new AbortController();
  const model: RunModel = {
    positions: () => Promise.resolve(positions),
    write(batch) {
      written ??= batch;
      positions = batch.to;
      stop.abort();
      return Promise.resolve([]);
    },
    ready: () => Promise.resolve([]),
  };
  const events = { started: () => undefined, written: () => undefined, refused: () => undefined };
  await followRuns(sourceOf(entries), model, () => Promise.resolve(), stop.signal, events);
  return written;
}

describe("questions that no run waits for", () => {
  const passing = [1, 2, 3, 4].map((sequence) => ended(sequence, "sync"));

  it("are passed over with the next one that a run waits for", async () => {
    const written = await firstWritten([...passing, ended(5, "async")]);
    expect(written).toMatchObject({ from: { interactions: 0 }, to: { interactions: 5 } });
  });

  it("are passed over by themselves when nothing else comes", async () => {
    const written = await firstWritten(passing);
    expect(written).toMatchObject({ from: { interactions: 0 }, to: { interactions: 4 }, ended: [] });
  });
});
