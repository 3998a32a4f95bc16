import type { Scenario } from "../bench.ts";
import { openEventFeed } from "../event-feed.ts";
import { delay, serialMedian, timed } from "../load.ts";
import { interleave, rowOfPairs } from "../measurement.ts";
import { openSides } from "../sides.ts";

/** Questions come singly: between two of them the stream is quiet. */
const BETWEEN_MS = 30;
const SEEN_WITHIN_MS = 5_000;

/** From sending an ask to an open inbox having it, against publish and delivery. */
export const visible: Scenario = {
  name: "visible",
  seconds: () => 45,
  async run(bench) {
    const sides = await openSides(bench);
    const { doors, raw, composition } = sides;
    const feed = await openEventFeed(composition);
    const { pairs, n } = bench.options;
    let asked = 0;

    async function askAndSee(): Promise<void> {
      const question = `Is it visible (${asked++})?`;
      const seen = new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
          reject(new Error(`${question} was not seen`));
        }, SEEN_WITHIN_MS);
        feed.onQuestion = (shown) => {
          if (shown !== question) return;
          clearTimeout(late);
          resolve();
        };
      });
      await Promise.all([doors.ask(question), seen]);
    }
    const paced = async (work: () => Promise<void>) => {
      await delay(BETWEEN_MS);
      return timed(work);
    };

    const count = Math.max(1, Math.ceil(n / 2));
    const measured = await interleave(
      pairs,
      () => serialMedian(count, () => paced(askAndSee)),
      () => serialMedian(count, () => paced(() => raw.askDelivered())),
    );
    feed.close();
    await sides.close();
    return [rowOfPairs("ask to shown on the stream, p50", "ms", measured)];
  },
};
