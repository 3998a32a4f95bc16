import { type Log, openLog } from "@interlude/event-log";
import { eventually } from "@interlude/testing";
import type { Bench, Scenario } from "../bench.ts";
import { currentLoad, type Row } from "../measurement.ts";
import { type FiredSchedules, openFiredSchedules } from "../raw-schedules.ts";
import { pendingQuestion, seedPending, seedQuestions, settled } from "../seed.ts";
import { quantile, spreadOf } from "../statistics.ts";
import { readLateness } from "../stored-ends.ts";

const DUE = 2_000;
/** One bare schedule beside every so many questions: enough to compare with, too few to get in their way. */
const SCHEDULE_EVERY = 10;
/** Deadlines are set ahead of the first of them, as people's are. */
const AHEAD_MS = 8_000;
const OVER_MS = 10_000;
const ENDED_WITHIN_MS = 90_000;

const pendingOf = (bench: Bench) => (bench.options.full ? 100_000 : 20_000);

/** How late questions end with many more pending, by the log's own timestamps; against bare scheduled messages. */
export const expiry: Scenario = {
  name: "expiry",
  seconds: ({ full }) => (full ? 180 : 60),
  async run(bench) {
    const composition = await bench.start();
    const pending = pendingOf(bench);
    await seedPending(composition, pending);
    const log = await openLog({ url: composition.natsUrl, service: "bench" });
    const schedules = await openFiredSchedules(log);
    try {
      const load = [currentLoad()];
      const due = await seedDue(log, schedules);
      await settled(composition, log, due.last, DUE);
      const late = await eventually(() => allEnded(log, due.last, due.at), {
        withinMs: ENDED_WITHIN_MS,
        everyMs: 1_000,
      });
      load.push(currentLoad());
      const raw = await schedules.lateness();
      const name = `expiry, ${pending.toLocaleString("en")} pending`;
      return [0.5, 0.99, 1].map((share) => rowAt(name, share, late, raw, load));
    } finally {
      await schedules.close();
      await log.close();
    }
  },
};

/** Questions that end one after another over some seconds, and bare schedules at some of the same moments. */
async function seedDue(log: Log, schedules: FiredSchedules) {
  const firstDueMs = log.clock.nowMs() + AHEAD_MS;
  const dueAt = (index: number) => Math.round(firstDueMs + (index * OVER_MS) / DUE);
  const at = new Map<string, number>();
  const last = await seedQuestions(log, DUE, (index) => {
    const question = pendingQuestion(log.clock.nowMs(), dueAt(index));
    at.set(question.interaction_id, dueAt(index));
    return question;
  });
  for (let index = 0; index < DUE; index += SCHEDULE_EVERY) await schedules.set(dueAt(index));
  return { last, at };
}

async function allEnded(log: Log, after: number, due: ReadonlyMap<string, number>): Promise<number[]> {
  const late = await readLateness(log, after + 1, due);
  if (late.length < due.size) throw new Error(`${late.length} of ${due.size} questions have ended`);
  return late;
}

function rowAt(name: string, share: number, late: number[], raw: number[], load: number[]): Row {
  const ours = quantile(late, share);
  const reference = quantile(raw, share);
  return {
    name: `${name}, late ${share === 1 ? "max" : `p${share * 100}`}`,
    unit: "ms",
    ours: spreadOf([ours]),
    reference: spreadOf([reference]),
    ratio: spreadOf([ours / reference]),
    load: spreadOf(load),
  };
}
