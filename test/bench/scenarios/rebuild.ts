import { rebuild as emptyReadModel } from "@interlude/inbox-model";
import { openDatabase } from "@interlude/postgres";
import { eventually } from "@interlude/testing";
import type { Scenario } from "../bench.ts";
import { type Doors, openDoors } from "../doors.ts";
import { interleave, rowOfPairs } from "../measurement.ts";
import { openRawLog } from "../raw-log.ts";
import { largeCount } from "./list.ts";

const PROJECTED = "interlude_projected_sequence";
const WITHIN = { withinMs: 300_000, everyMs: 50 };

/** The inbox made again from the log, against reading the same log and doing nothing. */
export const rebuild: Scenario = {
  name: "rebuild",
  seconds: ({ full }) => (full ? 900 : 90),
  async run(bench) {
    const composition = await bench.seeded(largeCount(bench));
    const doors = openDoors(composition, 1);
    await doors.answer((await doors.ask()).id);
    const database = openDatabase({ url: composition.databaseUrl, max: 1, applicationName: "bench" });
    const raw = await openRawLog(composition.natsUrl);
    const last = await projectedAtLeast(doors, largeCount(bench) + 2);
    const measured = await interleave(
      bench.options.pairs,
      async () => {
        await emptyReadModel(database);
        return rebuiltPerSecond(doors, last);
      },
      () => raw.consume("INTERACTIONS", last),
    );
    await raw.close();
    await database.close();
    await doors.close();
    const row = rowOfPairs("rebuild of the list from the log", "events/s", measured, { atLeast: 0.35 });
    return [{ ...row, goals: [...(row.goals ?? []), { of: "ours" as const, atLeast: 15_000 }] }];
  },
};

function projectedAtLeast(doors: Doors, sequence: number): Promise<number> {
  return projectedThat(doors, (projected) => projected >= sequence);
}

function projectedThat(doors: Doors, holds: (projected: number) => boolean): Promise<number> {
  return eventually(async () => {
    const projected = await doors.metric(PROJECTED);
    if (!holds(projected)) throw new Error(`the list includes ${projected}`);
    return projected;
  }, WITHIN);
}

/** From the first look at which the projector has begun again, to the one at which it has caught up. */
async function rebuiltPerSecond(doors: Doors, last: number): Promise<number> {
  const begun = await projectedThat(doors, (projected) => projected < last);
  const begunAt = performance.now();
  await projectedAtLeast(doors, last);
  return ((last - begun) * 1_000) / (performance.now() - begunAt);
}
