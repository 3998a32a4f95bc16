import type { RunParkedData } from "@interlude/contract";
import { parkSetId } from "@interlude/domain";
import { createRunStore, type Log, parkAddress } from "@interlude/event-log";
import { uuidV7 } from "@interlude/kernel";
import { pendingQuestion, seedQuestions } from "../bench/seed.ts";

const IN_FLIGHT = 256;

export type SeededRuns = {
  /** The last question's sequence. */
  lastAsked: number;
  /** A question that the run parked last waits for. */
  lastParked: string;
};

/** Puts runs that wait straight into the log, each with one question. */
export async function seedParkedRuns(
  log: Log,
  driver: string,
  count: number,
  owner = "dev",
): Promise<SeededRuns> {
  const waiting: { id: string; runId: string }[] = [];
  const lastAsked = await seedQuestions(log, count, () => {
    const question = pendingQuestion(log.clock.nowMs());
    const runId = `run-${question.interaction_id}`;
    waiting.push({ id: question.interaction_id, runId });
    const run = { driver, run_id: runId };
    return { ...question, asker: owner, mode: "async", expiry_at: question.timeout_at, run };
  });
  const last = { sequence: 0, id: "" };
  const runs = createRunStore(log);
  const left = waiting.values();
  const lane = async () => {
    for (const { id, runId } of left) {
      const nowMs = log.clock.nowMs();
      const data: RunParkedData = {
        ...{ driver, run_id: runId, park_id: parkSetId([id]), owner },
        ...{ at: new Date(nowMs).toISOString(), interaction_ids: [id] },
      };
      const write = { eventId: uuidV7(nowMs), nowMs };
      const outcome = await runs.append({ type: "parked", data }, parkAddress(driver, runId, [id]), 0, write);
      if (outcome.status !== "appended") throw new Error(`a seeded park was not stored: ${outcome.status}`);
      if (outcome.sequence > last.sequence) Object.assign(last, { sequence: outcome.sequence, id });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return { lastAsked, lastParked: last.id };
}
