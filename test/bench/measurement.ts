import { loadavg } from "node:os";
import { ratiosOf, type Spread, spreadOf } from "./statistics.ts";

/** What is aimed at: a bound of the ratio where there is a reference, else of our own figure. */
export type Goal = { atMost: number } | { atLeast: number };

/** One line of the table. */
export type Row = {
  name: string;
  unit: string;
  ours: Spread;
  reference?: Spread;
  ratio?: Spread;
  goals?: readonly (Goal & { of: "ours" | "ratio" })[];
  /** The machine's load average while it was measured. */
  load: Spread;
  note?: string;
};

export type Pairs = { ours: number[]; reference: number[]; load: number[] };

/** Measures both sides by turns, each going first every other time, so that drift and neighbours meet both alike. */
export async function interleave(
  count: number,
  ours: (round: number) => Promise<number>,
  reference: (round: number) => Promise<number>,
): Promise<Pairs> {
  const pairs: Pairs = { ours: [], reference: [], load: [] };
  for (let round = 0; round < count; round++) {
    const sides = [
      async () => pairs.ours.push(await ours(round)),
      async () => pairs.reference.push(await reference(round)),
    ];
    if (round % 2 === 1) sides.reverse();
    for (const side of sides) await side();
    pairs.load.push(currentLoad());
  }
  return pairs;
}

export function currentLoad(): number {
  return loadavg()[0] ?? NaN;
}

export function rowOfPairs(name: string, unit: string, pairs: Pairs, goal?: Goal, note?: string): Row {
  return {
    name,
    unit,
    ours: spreadOf(pairs.ours),
    reference: spreadOf(pairs.reference),
    ratio: spreadOf(ratiosOf(pairs.ours, pairs.reference)),
    ...(goal === undefined ? {} : { goals: [{ ...goal, of: "ratio" as const }] }),
    load: spreadOf(pairs.load),
    ...(note === undefined ? {} : { note }),
  };
}

/** A figure that stands alone. */
export function rowOf(name: string, unit: string, values: readonly number[], note?: string): Row {
  const load = spreadOf([currentLoad()]);
  return { name, unit, ours: spreadOf(values), load, ...(note === undefined ? {} : { note }) };
}
