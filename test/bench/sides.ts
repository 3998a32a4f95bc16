import type { Bench } from "./bench.ts";
import type { Composition } from "./composition.ts";
import { type Doors, openDoors } from "./doors.ts";
import { sustainedRate } from "./load.ts";
import { openRawLog, type RawLog } from "./raw-log.ts";

const WARM_CALLERS = 16;
const WARM_SECONDS = 3;

export type Sides = { composition: Composition; doors: Doors; raw: RawLog; close(): Promise<void> };

/** Both sides of a comparison on one server, warmed up: code that runs the first times is not what is compared. */
export async function openSides(bench: Bench): Promise<Sides> {
  const composition = await bench.start();
  const doors = openDoors(composition);
  const askAndAnswer = async () => {
    await doors.answer((await doors.ask()).id);
  };
  await askAndAnswer();
  const raw = await openRawLog(composition.natsUrl);
  await sustainedRate(WARM_CALLERS, WARM_SECONDS, askAndAnswer);
  await sustainedRate(WARM_CALLERS, 1, async () => raw.answerDelivered(await raw.ask()));
  return {
    composition,
    doors,
    raw,
    async close() {
      await raw.close();
      await doors.close();
    },
  };
}
