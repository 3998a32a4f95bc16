import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startFanOut } from "../support/fan-out.ts";
import { type Fleet, startRunFleet } from "../support/run-fleet.ts";
import { faultsOfRuns, readRunStory } from "../support/run-story.ts";
import { seededRandom } from "../support/seeded-random.ts";

/** A thousand take five to six minutes of two cores: `FAULT_RUNS=1000` before a release, a part of them each time. */
const RUNS = Number(process.env["FAULT_RUNS"] ?? 200);
/** Told in the output. It gives the sizes, deadlines and moments again, though not how they interleave. */
const SEED = Number(process.env["FAULT_SEED"] ?? Date.now() % 1_000_000);

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startRunFleet({ leaseSeconds: 3 });
}, 120_000);
afterAll(() => fleet.stop(), 60_000);

/** Kills one after another of its kind, at any moment, until told to end; how many it were. */
async function killing(
  over: AbortSignal,
  random: () => number,
  pauseMs: number,
  kill: (random: () => number) => Promise<void>,
): Promise<number> {
  let kills = 0;
  for (;;) {
    await delay(pauseMs * (0.5 + random()), undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return kills;
    await kill(random);
    kills += 1;
  }
}

it(
  `${RUNS} runs resume once each, whatever is killed at whatever moment: coordinators, workers and the log's server`,
  { timeout: 900_000 },
  async () => {
    const random = seededRandom(SEED);
    const startedAt = performance.now();
    const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(0);
    const over = new AbortController();
    const { nats } = fleet.servers;
    const fanOut = startFanOut({
      ...{ asker: fleet.clientOf("asker"), answerer: fleet.clientOf("answerer"), driver: fleet.driver },
      ...{ runs: RUNS, asks: 20, expiring: 0.3, expiryMs: [20_000, 40_000], random },
    });
    const kills = Promise.all([
      killing(over.signal, random, 6_000, async () => {
        const index = Math.floor(random() * fleet.coordinators.length);
        await fleet.coordinators[index]?.kill();
        await fleet.restartCoordinator(index);
      }),
      killing(over.signal, random, 4_000, async () => {
        const index = Math.floor(random() * fleet.workers.length);
        await fleet.workers[index]?.kill();
        await fleet.restartWorker(index);
      }),
      killing(over.signal, random, 9_000, async () => {
        await nats.kill();
        await delay(random() * 500);
        await nats.restart();
      }),
    ]);
    try {
      await fanOut.done;
      await eventually(
        async () => {
          const done = new Set((await fleet.effects()).map((effect) => effect.run_id));
          expect(done.size).toBe(RUNS);
        },
        { withinMs: 400_000, everyMs: 1_000 },
      );
    } finally {
      over.abort();
    }
    const [ofCoordinators, ofWorkers, ofLog] = await kills;
    // What the last kill left half-done is taken up when its lease has run out.
    await eventually(
      async () => {
        const { resumed } = await readRunStory(nats.url, fleet.driver);
        expect(new Set(resumed.map(({ runId }) => runId)).size).toBe(RUNS);
      },
      { withinMs: 60_000, everyMs: 500 },
    );

    const expected = await fanOut.done;
    const story = await readRunStory(nats.url, fleet.driver);
    const effects = await fleet.effects();
    const questions = expected.reduce((sum, { ends }) => sum + ends.size, 0);
    process.stdout.write(
      `seed ${SEED}: ${RUNS} runs, ${questions} questions, ${seconds()} s; ` +
        `killed: coordinators ${ofCoordinators}, workers ${ofWorkers}, log ${ofLog}; ` +
        `${story.claims.length} claims, ${effects.length - RUNS} effects of claims that were lost\n`,
    );
    expect(faultsOfRuns(expected, story, effects)).toEqual([]);
  },
);
