import type { Scenario } from "../bench.ts";
import { delay, timed } from "../load.ts";
import { type Goal, interleave, type Row, rowOfPairs } from "../measurement.ts";
import { openSides, type Sides } from "../sides.ts";
import { median } from "../statistics.ts";

const LEVELS: readonly { callers: number; goal: Goal }[] = [
  { callers: 1, goal: { atMost: 2.5 } },
  { callers: 64, goal: { atMost: 5 } },
];
const BLOCK_MS = 20_000;

/** From sending an answer to the caller that waits for it having it. */
export const wake: Scenario = {
  name: "wake",
  seconds: () => 60,
  async run(bench) {
    const sides = await openSides(bench);
    const { pairs, n } = bench.options;
    const rows: Row[] = [];
    for (const { callers, goal } of LEVELS) {
      // Many callers are woken at once: as many of them as of single ones would be a wave or two.
      const waves = callers === 1 ? n : Math.max(1, Math.ceil((n * 4) / callers));
      const measured = await interleave(
        pairs,
        () => waveMedian(waves, () => wakeOurs(sides, callers)),
        () => waveMedian(waves, () => wakeRaw(sides, callers)),
      );
      rows.push(rowOfPairs(`answer to caller woken, ${callers} waiting, p50`, "ms", measured, goal));
    }
    await sides.close();
    return rows;
  },
};

async function waveMedian(waves: number, wave: () => Promise<number[]>): Promise<number> {
  const endsAt = performance.now() + BLOCK_MS;
  const times: number[] = [];
  for (let done = 0; done < waves && performance.now() < endsAt; done++) times.push(...(await wave()));
  return median(times);
}

async function wakeOurs({ doors }: Sides, callers: number): Promise<number[]> {
  const questions = await Promise.all(Array.from({ length: callers }, () => doors.ask()));
  const ended = questions.map(({ id }) => doors.awaitEnd(id));
  // Until the callers are known to wait: one read of the log each.
  await delay(callers === 1 ? 5 : 100);
  return Promise.all(
    questions.map(({ id }, index) => timed(() => Promise.all([doors.answer(id), ended[index]]))),
  );
}

async function wakeRaw({ raw }: Sides, callers: number): Promise<number[]> {
  const questions = await Promise.all(Array.from({ length: callers }, () => raw.ask()));
  await delay(5);
  return Promise.all(questions.map((question) => timed(() => raw.answerDelivered(question))));
}
