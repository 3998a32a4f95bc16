import type { Scenario } from "../bench.ts";
import { serialMedian, timed } from "../load.ts";
import { interleave, rowOfPairs } from "../measurement.ts";
import { openSides } from "../sides.ts";

/** One ask at a time over HTTP, against one raw publish at a time. */
export const ask: Scenario = {
  name: "ask",
  seconds: () => 15,
  async run(bench) {
    const sides = await openSides(bench);
    const { doors, raw } = sides;
    const { pairs, n } = bench.options;
    const measured = await interleave(
      pairs,
      () => serialMedian(n, () => timed(() => doors.ask())),
      () => serialMedian(n, () => timed(() => raw.ask())),
    );
    await sides.close();
    return [rowOfPairs("ask, 1 caller, p50", "ms", measured)];
  },
};
