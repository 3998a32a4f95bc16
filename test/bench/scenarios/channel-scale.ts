import { eventually } from "@interlude/testing";
import type { Scenario } from "../bench.ts";
import { startChannelFleet } from "../channel-fleet.ts";
import { evenChats, numberedQuestions } from "../channel-questions.ts";
import { delay } from "../load.ts";
import { interleave, rowOf, rowOfPairs } from "../measurement.ts";
import { startSlowProvider } from "../slow-provider.ts";

const CALL_MS = 100;
const WORKERS = 4;
const CHATS_EACH_PARTITION = 20;
/** More than can be sent while it is measured: a worker that has nothing to do measures nothing. */
const BACKLOG_PER_WORKER = 1_000;
const SECONDS = 8;
const WARM_MS = 1_500;
const DRAINED_WITHIN_MS = 120_000;

/** One channel with a provider that takes 100 ms a call: four workers against one. */
export const channelScale: Scenario = {
  name: "channel-scale",
  onlyNamed: true,
  seconds: ({ pairs }) => 20 + pairs * 28,
  async run(bench) {
    const provider = await startSlowProvider(CALL_MS);
    const fleet = await startChannelFleet({
      channels: ["telegram"],
      watched: "telegram",
      variables: {
        TELEGRAM_BOT_TOKEN: "1:AAbench",
        TELEGRAM_WEBHOOK_SECRET: "bench",
        TELEGRAM_API_URL: provider.url,
      },
    });
    try {
      const questions = numberedQuestions("telegram", evenChats("telegram", CHATS_EACH_PARTITION));
      const cost: number[] = [];
      const rate = async (workers: number): Promise<number> => {
        // What is left of before is sent along; taking over is not what is measured.
        await fleet.scaleTo(workers);
        const left = questions.asked - provider.arrivals.length;
        await questions.ask(fleet.log, Math.max(0, workers * BACKLOG_PER_WORKER - left));
        await delay(WARM_MS);
        const before = provider.arrivals.length;
        const cpuBefore = fleet.cpuSeconds();
        const beganMs = performance.now();
        await delay(SECONDS * 1_000);
        const sent = provider.arrivals.length - before;
        cost.push(((fleet.cpuSeconds() - cpuBefore) * 1e6) / sent);
        return (sent * 1_000) / (performance.now() - beganMs);
      };
      const measured = await interleave(
        bench.options.pairs,
        () => rate(WORKERS),
        () => rate(1),
      );
      await fleet.scaleTo(WORKERS);
      await eventually(() => provider.arrivals.length >= questions.asked, {
        withinMs: DRAINED_WITHIN_MS,
        everyMs: 200,
      });
      const faults = questions.faults(provider.arrivals);
      if (faults.length > 0)
        throw new Error(`${faults.length} of ${questions.asked}: ${faults.slice(0, 3).join("; ")}`);
      const note = `each of ${questions.asked} questions arrived once, in the order of its chat`;
      return [
        rowOfPairs("a channel's sends, 4 workers to 1", "/s", measured, { atLeast: 3.5 }, note),
        rowOf("processor time of a dispatcher for each of them", "µs", cost),
      ];
    } finally {
      await fleet.close();
      await provider.stop();
    }
  },
};
