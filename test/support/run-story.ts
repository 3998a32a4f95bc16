import { logBounds, openLog, readRunsForward, STREAMS } from "@interlude/event-log";
import type { Json } from "@interlude/kernel";
import type { Effect } from "./run-fleet.ts";

/** What the log has of the runs of a driver, in its order. */
export type RunStory = {
  requested: string[];
  /** With the sequence of the claim that completed it. */
  resumed: { runId: string; fencing: number }[];
  claims: { runId: string; sequence: number }[];
  failed: string[];
};

export async function readRunStory(natsUrl: string, driver: string): Promise<RunStory> {
  const log = await openLog({ url: natsUrl, service: "witness" });
  const story: RunStory = { requested: [], resumed: [], claims: [], failed: [] };
  const over = new AbortController();
  try {
    const { lastSequence } = await logBounds(log, STREAMS.runs);
    const onUnreadable = (error: unknown) => {
      throw error;
    };
    for await (const each of readRunsForward(log, { fromSequence: 1, signal: over.signal, onUnreadable })) {
      if (each.address !== undefined && each.address.driver === driver) {
        const { type, data } = each.entry;
        if (type === "resume_requested") story.requested.push(data.run_id);
        if (type === "claimed") story.claims.push({ runId: data.run_id, sequence: each.sequence });
        if (type === "resumed") story.resumed.push({ runId: data.run_id, fencing: data.fencing });
        if (type === "failed") story.failed.push(data.run_id);
      }
      if (each.sequence >= lastSequence) break;
    }
  } finally {
    over.abort();
    await log.close();
  }
  return story;
}

/** A run and what each of its questions may have ended as. */
export type ExpectedRun = { runId: string; ends: ReadonlyMap<string, readonly Json[]> };

/** What is wrong about how these runs, each parked once, went on; nothing, if each has been resumed exactly once. */
export function faultsOfRuns(
  expected: readonly ExpectedRun[],
  story: RunStory,
  effects: readonly Effect[],
): string[] {
  const ofRun = grouped(effects, (effect) => effect.run_id);
  const requested = grouped(story.requested, (runId) => runId);
  const resumed = grouped(story.resumed, ({ runId }) => runId);
  const isKnown = new Set(expected.map(({ runId }) => runId));
  const strays = [...story.requested, ...ofRun.keys()].filter((runId) => !isKnown.has(runId));
  return [
    ...strays.map((runId) => `${runId} is nobody's`),
    ...story.failed.map((runId) => `${runId} has failed`),
    ...expected.flatMap((run) => {
      const completions = resumed.get(run.runId) ?? [];
      const asked = requested.get(run.runId)?.length ?? 0;
      return [
        ...(asked === 1 ? [] : [`${run.runId} was asked to go on ${asked} times`]),
        ...(completions.length === 1 ? [] : [`${run.runId} was completed ${completions.length} times`]),
        ...faultsOfEffects(run, completions[0]?.fencing, ofRun.get(run.runId) ?? []),
      ];
    }),
  ];
}

/** The effect that counts is the one of the claim that completed: a store that is fenced keeps the highest. */
function faultsOfEffects(
  run: ExpectedRun,
  fencing: number | undefined,
  effects: readonly Effect[],
): string[] {
  const { runId, ends } = run;
  const faults: string[] = [];
  const counting = effects.filter((effect) => effect.fencing === fencing);
  if (counting.length !== 1)
    faults.push(`${runId} has ${counting.length} effects of the claim that completed`);
  for (const effect of effects) {
    if (fencing !== undefined && effect.fencing > fencing)
      faults.push(`${runId} was worked on by claim ${effect.fencing} after ${fencing} had completed it`);
    if (effect.times !== 1) faults.push(`${runId} had its effect ${effect.times} times under one claim`);
    if (Object.keys(effect.ends).length !== ends.size) faults.push(`${runId} went on with a partial set`);
    for (const [id, end] of Object.entries(effect.ends)) {
      const isOne = ends.get(id)?.some((possible) => JSON.stringify(possible) === JSON.stringify(end));
      if (isOne !== true) faults.push(`${runId} was given ${JSON.stringify(end)} for ${id}`);
    }
  }
  return faults;
}

function grouped<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}
