import type { Scenario } from "../bench.ts";
import { sustainedRate } from "../load.ts";
import { interleave, rowOfPairs } from "../measurement.ts";
import { openSides } from "../sides.ts";

const CALLERS = 64;
const SECONDS = 3;

/** Callers that ask and answer without pause, against as many that publish the same two events. */
export const throughput: Scenario = {
  name: "throughput",
  seconds: () => 40,
  async run(bench) {
    const sides = await openSides(bench);
    const { doors, raw } = sides;
    const measured = await interleave(
      bench.options.pairs,
      () => sustainedRate(CALLERS, SECONDS, async () => doors.answer((await doors.ask()).id)),
      () => sustainedRate(CALLERS, SECONDS, async () => raw.answer(await raw.ask())),
    );
    await sides.close();
    return [rowOfPairs("asks with their answers, 64 callers", "/s", measured, { atLeast: 0.3 })];
  },
};
