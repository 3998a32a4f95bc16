import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Log, openLog } from "@interlude/event-log";
import { uuidV7 } from "@interlude/kernel";
import { eventually, temporaryHome } from "@interlude/testing";
import type { Bench, Scenario } from "../bench.ts";
import type { Composition } from "../composition.ts";
import { type Doors, openDoors } from "../doors.ts";
import { delay, serialMedian, timed } from "../load.ts";
import { type Row, rowOf } from "../measurement.ts";
import { processFigures } from "../process-figures.ts";
import { heldBy, memoryProbe } from "../../support/memory-probe.ts";
import { seedParkedRuns } from "../../support/seed-parked.ts";
import { settled } from "../seed.ts";
import { spreadOf } from "../statistics.ts";

const NAME = "parked";
const DRIVER = "bench";
const QUIET_MS = 5_000;
const RESUMES = 20;
const WITHIN_MS = 600_000;
const MEGABYTE = 1_024 * 1_024;
/** What the gateway remembers of open questions: full before the first half has parked. */
const REMEMBERED = { INTERLUDE_REMEMBERED_QUESTIONS_MB: "4" };

/** What runs that wait cost the composed process while they wait. */
export const parked: Scenario = {
  name: NAME,
  seconds: ({ full }) => (full ? 400 : 90),
  async run(bench) {
    const half = countOf(bench) / 2;
    const folder = temporaryHome("bench-memory");
    const file = join(folder, "held.json");
    const composition = await bench.start({ ...memoryProbe(file), ...REMEMBERED });
    const quiet = () => usedBy(composition.pid, file);
    const doors = openDoors(composition);
    const log = await openLog({ url: composition.natsUrl, service: "bench" });
    try {
      await doors.registerDriver(DRIVER);
      await resumed(doors);
      const few = await quiet();
      const fewMs = await serialMedian(RESUMES, () => timed(() => resumed(doors)));
      await parkMany({ composition, log, doors }, half, half);
      const some = await quiet();
      await parkMany({ composition, log, doors }, half, 2 * half);
      const many = await quiet();
      const manyMs = await serialMedian(RESUMES, () => timed(() => resumed(doors)));
      return rowsOf({ few, some, many, fewMs, manyMs, half });
    } finally {
      await log.close();
      await doors.close();
      rmSync(folder, { recursive: true, force: true });
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
  const { lastAsked } = await seedParkedRuns(log, DRIVER, count);
  await settled(composition, log, lastAsked, count);
  const counted = async () => (await doors.metric('interlude_runs{state="parked"}')) >= total;
  await eventually(counted, { withinMs: WITHIN_MS, everyMs: 500 });
}

type Quiet = {
  /** Resident, as it was left and once what nobody holds is collected. */
  leftMb: number;
  residentMb: number;
  /** In JavaScript's heap and of it outside. */
  heldMb: number;
  /** Timers, sockets and the like. */
  active: number;
  cpuPercent: number;
  threads: number;
};

/** What is used while nothing happens. */
async function usedBy(pid: number, file: string): Promise<Quiet> {
  await delay(QUIET_MS);
  const before = processFigures(pid);
  await delay(QUIET_MS);
  const after = processFigures(pid);
  const held = await heldBy(pid, file);
  return {
    leftMb: (after?.rssKb ?? NaN) / 1_024,
    residentMb: (processFigures(pid)?.rssKb ?? NaN) / 1_024,
    heldMb: held.bytes / MEGABYTE,
    active: held.active,
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
  const beforeAny = (mb: number) => `the reference is the same with ${one}; with none ${mb.toFixed(0)} MB`;
  return [
    {
      ...against(`memory that the process holds, ${two} parked runs`, "MB", many.heldMb, some.heldMb),
      goals: [{ of: "ratio", atMost: 1.05 }],
      note: `${beforeAny(few.heldMb)}; ${many.active} timers and sockets, with none ${few.active}`,
    },
    {
      ...against(`resident memory then, ${two} parked runs`, "MB", many.residentMb, some.residentMb),
      goals: [{ of: "ratio", atMost: 1.2 }],
      note: `${beforeAny(few.residentMb)}; before Node collected garbage ${many.leftMb.toFixed(0)} MB`,
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
