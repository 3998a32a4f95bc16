import { type Composition, startComposition, type StartOptions } from "./composition.ts";
import type { Row } from "./measurement.ts";
import type { Options } from "./options.ts";
import { seedPending } from "./seed.ts";

/** What a scenario is given: the options, and compositions that are stopped for it. */
export type Bench = {
  options: Options;
  /** A composition of its own, for the rest of the scenario. */
  start(environment?: StartOptions["environment"]): Promise<Composition>;
  /** A composition with this many open questions in log and list; kept for the scenarios after it. */
  seeded(count: number): Promise<Composition>;
  /** Tells what cannot be measured on this machine, which is no failure. */
  skip(what: string): void;
};

export type Scenario = {
  name: string;
  /** On a quiet machine of two cores; decides what still fits into the time. */
  seconds: (options: Options) => number;
  /** Takes too long for a run of everything: only where it is named. */
  onlyNamed?: true;
  run(bench: Bench): Promise<Row[]>;
};

export type Workshop = {
  bench: Bench;
  skipped: readonly string[];
  endScenario(): Promise<void>;
  endAll(): Promise<void>;
};

/** Starts compositions and sees to it that each is stopped. */
export function openWorkshop(options: Options): Workshop {
  const started: Composition[] = [];
  const seeded = new Map<number, Promise<Composition>>();
  const kept: Composition[] = [];
  const skipped: string[] = [];
  const how: StartOptions =
    options.profile === undefined
      ? {}
      : { nodeArguments: ["--cpu-prof", `--cpu-prof-dir=${options.profile}`, "--cpu-prof-interval=500"] };

  async function startInto(list: Composition[], environment = {}): Promise<Composition> {
    const composition = await startComposition({ ...how, environment });
    list.push(composition);
    return composition;
  }

  async function makeSeeded(count: number): Promise<Composition> {
    const composition = await startInto(kept);
    await seedPending(composition, count);
    return composition;
  }

  const stopAll = (list: Composition[]) =>
    Promise.all(list.splice(0).map((composition) => composition.stop()));
  return {
    skipped,
    bench: {
      options,
      start: (environment) => startInto(started, environment),
      skip: (what) => skipped.push(what),
      seeded(count) {
        const known = seeded.get(count) ?? makeSeeded(count);
        seeded.set(count, known);
        return known;
      },
    },
    async endScenario() {
      await stopAll(started);
    },
    async endAll() {
      await Promise.all([stopAll(started), stopAll(kept)]);
    },
  };
}
