import { SuspendedRun } from "@interlude/sdk";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fleet, startRunFleet } from "../support/run-fleet.ts";
import { readRunStory } from "../support/run-story.ts";

let fleet: Fleet;

beforeAll(async () => {
  // Work takes long enough to be paused in, and to be taken over and done by the other worker.
  fleet = await startRunFleet({ leaseSeconds: 2, workersOffMs: [0, 0], workMs: 3_000, leastWorkMs: 2_000 });
}, 180_000);
afterAll(() => fleet.stop(), 60_000);

it(
  "a worker that was paused for longer than its lease completes nothing: its run has been completed by another",
  { timeout: 180_000 },
  async () => {
    const asker = fleet.clientOf("asker");
    const driver = await asker.driver({ name: fleet.driver, checkpointer: { kind: "postgres" } });
    const parked = async (runId: string) => {
      const expiryAt = new Date(Date.now() + 600_000);
      const receipt = await driver.run(runId, (run) =>
        run.askUser({ question: "Go on?", mode: "async", key: "q", expiryAt }),
      );
      if (!(receipt instanceof SuspendedRun)) throw new Error("it asked nothing");
      await fleet.clientOf("answerer").answer(receipt.interactionIds[0] ?? "", "yes");
    };
    const effectsOf = async (runId: string, atLeast: number) =>
      eventually(
        async () => {
          const effects = (await fleet.effects()).filter(({ run_id }) => run_id === runId);
          expect(effects.length).toBeGreaterThanOrEqual(atLeast);
          return effects.toSorted((one, other) => one.fencing - other.fencing);
        },
        { withinMs: 60_000, everyMs: 50 },
      );
    const completionsOf = async (runId: string) => {
      const { resumed } = await readRunStory(fleet.servers.nats.url, fleet.driver);
      return resumed.filter((each) => each.runId === runId);
    };
    const completed = (runId: string) =>
      eventually(async () => (await completionsOf(runId)).length > 0, { withinMs: 60_000, everyMs: 100 });

    for (const runId of ["paused-0", "paused-1", "paused-2"]) {
      await parked(runId);
      const [first] = await effectsOf(runId, 1);
      const pid = Number(first?.worker);
      process.kill(pid, "SIGSTOP");
      const effects = await effectsOf(runId, 2);
      await completed(runId);
      process.kill(pid, "SIGCONT");
      // It is alive again, and has said what it had to say, when it has finished another run after this one.
      await eventually(
        async () => {
          const next = `after-${runId}-${Math.random()}`;
          await parked(next);
          await completed(next);
          expect(Number((await effectsOf(next, 1))[0]?.worker)).toBe(pid);
        },
        { withinMs: 60_000, everyMs: 10 },
      );
      const second = effects[1];
      expect(second?.worker).not.toBe(first?.worker);
      expect(second?.fencing).toBeGreaterThan(first?.fencing ?? Infinity);
      expect(await completionsOf(runId)).toEqual([{ runId, fencing: second?.fencing }]);
    }
  },
);
