import { readdirSync } from "node:fs";
import type { RunParkedData } from "@interlude/contract";
import { parkSetId } from "@interlude/domain";
import { createRunStore, type Log, openLog, parkAddress } from "@interlude/event-log";
import { uuidV7 } from "@interlude/kernel";
import { eventually } from "@interlude/testing";
import type { Bench, Scenario } from "../bench.ts";
import type { Composition } from "../composition.ts";
import { type Doors, openDoors } from "../doors.ts";
import { delay, serialMedian, timed } from "../load.ts";
import { type Row, rowOf } from "../measurement.ts";
import { processFigures } from "../process-figures.ts";
import { pendingQuestion, seedQuestions, settled } from "../seed.ts";
import { spreadOf } from "../statistics.ts";

const NAME = "parked";
const DRIVER = "bench";
const IN_FLIGHT = 256;
const QUIET_MS = 5_000;
const RESUMES = 20;
const WITHIN_MS = 600_000;

/** What runs that wait cost the composed process while they wait. */
export const parked: Scenario = {
  name: NAME,
  seconds: ({ full }) => (full ? 400 : 90),
  async run(bench) {
    const half = countOf(bench) / 2;
    const composition = await bench.start();
    const doors = openDoors(composition);
    const log = await openLog({ url: composition.natsUrl, service: "bench" });
    try {
      await doors.registerDriver(DRIVER);
      await resumed(doors);
      const few = await quiet(composition);
      const fewMs = await serialMedian(RESUMES, () => timed(() => resumed(doors)));
      await parkMany({ composition, log, doors }, half, half);
      const some = await quiet(composition);
      await parkMany({ composition, log, doors }, half, 2 * half);
      const many = await quiet(composition);
      const manyMs = await serialMedian(RESUMES, () => timed(() => resumed(doors)));
      return rowsOf({ few, some, many, fewMs, manyMs, half });
    } finally {
      await log.close();
      await doors.close();
    }
  },
};

const countOf = ({ options }: Bench) => (options.full || options.only.includes(NAME) ? 100_000 : 10_000);

/** Asks, parks, answers and claims one run to its end. */
async function resumed(doors: Doors): Promise<void> {
  const run = { driver: DRIVER, run_id: uuidV7(Date.now()) };
  const id = await doors.askInRun(run);
  await doors.park(run, [id]);
  await doors.answer(id);
  await (await doors.claim(DRIVER)).complete();
}

/** Puts runs that wait straight into the log, each with one question, until every reader has them. */
async function parkMany(
  { composition, log, doors }: { composition: Composition; log: Log; doors: Doors },
  count: number,
  total: number,
): Promise<void> {
  const waiting: { id: string; runId: string }[] = [];
  const last = await seedQuestions(log, count, () => {
    const question = pendingQuestion(log.clock.nowMs());
    const runId = `run-${question.interaction_id}`;
    waiting.push({ id: question.interaction_id, runId });
    return {
      ...question,
      mode: "async",
      expiry_at: question.timeout_at,
      run: { driver: DRIVER, run_id: runId },
    };
  });
  const runs = createRunStore(log);
  const left = waiting.values();
  const lane = async () => {
    for (const { id, runId } of left) {
      const nowMs = log.clock.nowMs();
      const data: RunParkedData = {
        ...{ driver: DRIVER, run_id: runId, park_id: parkSetId([id]), owner: "dev" },
        ...{ at: new Date(nowMs).toISOString(), interaction_ids: [id] },
      };
      const write = { eventId: uuidV7(nowMs), nowMs };
      const outcome = await runs.append({ type: "parked", data }, parkAddress(DRIVER, runId, [id]), 0, write);
      if (outcome.status !== "appended") throw new Error(`a seeded park was not stored: ${outcome.status}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  await settled(composition, log, last, count);
  const counted = async () => (await doors.metric('interlude_runs{state="parked"}')) >= total;
  await eventually(counted, { withinMs: WITHIN_MS, everyMs: 500 });
}

type Quiet = { megabytes: number; cpuPercent: number; threads: number };

/** What is used while nothing happens. */
async function quiet({ pid }: Composition): Promise<Quiet> {
  await delay(QUIET_MS);
  const before = processFigures(pid);
  await delay(QUIET_MS);
  const after = processFigures(pid);
  return {
    megabytes: (after?.rssKb ?? NaN) / 1_024,
    cpuPercent: (((after?.cpuSeconds ?? NaN) - (before?.cpuSeconds ?? NaN)) / QUIET_MS) * 100_000,
    threads: threadsOf(pid),
  };
}

/** Linux only, as the figures above; NaN elsewhere. */
function threadsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return NaN;
  }
}

type Found = { few: Quiet; some: Quiet; many: Quiet; fewMs: number; manyMs: number; half: number };

function rowsOf({ few, some, many, fewMs, manyMs, half }: Found): Row[] {
  const named = (count: number) => count.toLocaleString("en");
  const [one, two] = [named(half), named(2 * half)];
  const against = (name: string, unit: string, ours: number, reference: number): Row => ({
    ...rowOf(name, unit, [ours]),
    reference: spreadOf([reference]),
    ratio: spreadOf([ours / reference]),
  });
  const flat = { of: "ratio" as const, atMost: 1.2 };
  return [
    {
      ...against(`memory of the process, ${two} parked runs`, "MB", many.megabytes, some.megabytes),
      goals: [flat],
      note: `the reference is the same process with ${one} of them; with none it had ${few.megabytes.toFixed(0)} MB`,
    },
    {
      ...rowOf(`CPU of the process while ${two} runs are parked`, "%", [many.cpuPercent]),
      note: `with none ${few.cpuPercent.toFixed(1)} %; ${many.threads} threads, with none ${few.threads}`,
    },
    {
      ...against(`ask, park, answer and claim beside ${two} parked runs, p50`, "ms", manyMs, fewMs),
      goals: [{ of: "ratio", atMost: 1.5 }],
      note: "the reference is the same with no others",
    },
  ];
}
