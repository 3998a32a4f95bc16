import { randomUUID } from "node:crypto";
import { openDoors } from "../doors.ts";
import type { Contender, Continued } from "./contender.ts";
import { openMoments } from "./moments.ts";

const DRIVER = "peers";

/** Ours, through the HTTP doors; the run's worker is one that waits for claims. */
export async function openInterlude(server: { url: string; apiKey: string }): Promise<Contender> {
  const doors = openDoors(server);
  await doors.registerDriver(DRIVER);
  const moments = openMoments<Continued>();

  async function work(): Promise<void> {
    const claim = await doors.claim(DRIVER);
    moments.came(claim.runId, { atMs: performance.now(), finished: claim.complete() });
  }

  return {
    async park() {
      const run = { driver: DRIVER, run_id: randomUUID() };
      const id = await doors.askInRun(run);
      await doors.park(run, [id]);
      return {
        // Claims are not of a run: whichever worker gets this one tells.
        async continued() {
          const [continued] = await Promise.all([moments.of(run.run_id), work()]);
          return continued;
        },
        answer: () => doors.answer(id),
      };
    },
    close: () => doors.close(),
  };
}
