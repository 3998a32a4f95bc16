import { type Driver, SuspendedRun } from "@interlude/sdk";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startFanOut } from "../support/fan-out.ts";
import { type Fleet, startRunFleet } from "../support/run-fleet.ts";
import { faultsOfRuns, readRunStory, type RunStory } from "../support/run-story.ts";
import { seededRandom } from "../support/seeded-random.ts";

const FIVE_MINUTES_MS = 300_000;
const LEASE_SECONDS = 4;
const RUNS = 24;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startRunFleet({
    leaseSeconds: LEASE_SECONDS,
    coordinatorsOffMs: [FIVE_MINUTES_MS, -FIVE_MINUTES_MS],
    workersOffMs: [FIVE_MINUTES_MS, -FIVE_MINUTES_MS],
    // Half of them outlast a lease: they live by heartbeats.
    workMs: 2 * LEASE_SECONDS * 1_000,
  });
}, 180_000);
afterAll(() => fleet.stop(), 60_000);

const story = (): Promise<RunStory> => readRunStory(fleet.servers.nats.url, fleet.driver);

async function untilResumed(runs: number): Promise<void> {
  await eventually(
    async () => {
      expect((await story()).resumed).toHaveLength(runs);
    },
    { withinMs: 120_000, everyMs: 500 },
  );
}

async function askedUntil(driver: Driver, runId: string, dueAt: Date): Promise<string> {
  const parked = await driver.run(runId, (run) =>
    run.askUser({ question: "Until when?", mode: "async", key: "q", expiryAt: dueAt }),
  );
  if (!(parked instanceof SuspendedRun)) throw new Error("it asked nothing");
  return parked.interactionIds[0] ?? "";
}

it(
  "with local clocks five minutes off in both directions, deadlines and leases go by the log's clock",
  { timeout: 240_000 },
  async () => {
    const [asker, answerer] = [fleet.clientOf("asker"), fleet.clientOf("answerer")];
    const driver = await asker.driver({ name: fleet.driver, checkpointer: { kind: "postgres" } });
    // Asked of both processes in turn. A clock that is ahead would refuse them, one that is behind let them stay open.
    const dueAt = new Date(Date.now() + 8_000);
    const deadlines = ["due-0", "due-1", "due-2", "due-3"].map(async (runId) => {
      const id = await askedUntil(driver, runId, dueAt);
      const { status } = await asker.result(id, { waitSeconds: 60 });
      return { status, lateMs: Date.now() - dueAt.getTime() };
    });
    for (const { status, lateMs } of await Promise.all(deadlines)) {
      expect(status).toBe("expired");
      expect(lateMs).toBeGreaterThan(-100);
      expect(lateMs).toBeLessThan(20_000);
    }
    await untilResumed(deadlines.length);

    const fanOut = startFanOut({
      ...{ asker, answerer, driver: fleet.driver, runs: RUNS, asks: 4, random: seededRandom(1) },
      ...{ expiring: 0.4, expiryMs: [15_000, 20_000] },
    });
    const expected = await fanOut.done;
    await untilResumed(RUNS + deadlines.length);
    const effects = (await fleet.effects()).filter(({ run_id }) => !run_id.startsWith("due-"));
    const ofFanOut = withoutDue(await story());
    expect(faultsOfRuns(expected, ofFanOut, effects)).toEqual([]);
    // Nobody's lease was taken for over while its worker lived.
    expect(ofFanOut.claims).toHaveLength(RUNS);
  },
);

it(
  "with local clocks off, the run of a worker that was killed goes on when its lease is over, and not later",
  { timeout: 120_000 },
  async () => {
    const asker = fleet.clientOf("asker");
    const driver = await asker.driver({ name: fleet.driver, checkpointer: { kind: "postgres" } });
    const before = (await story()).resumed.length;
    const id = await askedUntil(driver, "left-behind", new Date(Date.now() + 600_000));
    await fleet.clientOf("answerer").answer(id, "yes");
    const worker = await eventually(
      async () => {
        const effect = (await fleet.effects()).find(({ run_id }) => run_id === "left-behind");
        if (effect === undefined) throw new Error("nobody works on it");
        return Number(effect.worker);
      },
      { withinMs: 20_000 },
    );
    await fleet.workers.find(({ pid }) => pid === worker)?.kill();
    const killedAt = performance.now();
    await untilResumed(before + 1);
    const { claims } = await story();
    const attempts = claims.filter(({ runId }) => runId === "left-behind").length;
    // It may have completed in the very moment.
    if (attempts === 2) expect(performance.now() - killedAt).toBeGreaterThan((LEASE_SECONDS * 1_000) / 2);
    expect(performance.now() - killedAt).toBeLessThan(60_000);
    expect(attempts).toBeLessThanOrEqual(2);
  },
);

function withoutDue({ requested, resumed, claims, failed }: RunStory): RunStory {
  const isOther = (runId: string) => !runId.startsWith("due-");
  return {
    requested: requested.filter(isOther),
    resumed: resumed.filter(({ runId }) => isOther(runId)),
    claims: claims.filter(({ runId }) => isOther(runId)),
    failed,
  };
}
