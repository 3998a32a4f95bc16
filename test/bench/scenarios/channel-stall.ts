import { eventually } from "@interlude/testing";
import type { Scenario } from "../bench.ts";
import { startChannelFleet } from "../channel-fleet.ts";
import { evenChats, numberedQuestions } from "../channel-questions.ts";
import { interleave, rowOfPairs } from "../measurement.ts";
import { startSlowProvider } from "../slow-provider.ts";
import { quantile } from "../statistics.ts";

const CHATS_EACH_PARTITION = 4;
const BACKLOG = 200;
/** As many sends as a dispatcher makes at a time: all of them are stuck. */
const STUCK = 8;
const ARRIVES_WITHIN_MS = 20_000;
const WITHIN = { withinMs: 60_000, everyMs: 20 };

/** What a channel takes from the log to its provider while another channel's provider answers nothing. */
export const channelStall: Scenario = {
  name: "channel-stall",
  onlyNamed: true,
  seconds: ({ pairs }) => 20 + pairs * 15,
  async run(bench) {
    const [stalling, quick] = [await startSlowProvider(0), await startSlowProvider(0)];
    const fleet = await startChannelFleet({
      channels: ["telegram", "slack"],
      watched: "slack",
      variables: {
        TELEGRAM_BOT_TOKEN: "1:AAbench",
        TELEGRAM_WEBHOOK_SECRET: "bench",
        TELEGRAM_API_URL: stalling.url,
        SLACK_BOT_TOKEN: "xoxb-bench",
        SLACK_SIGNING_SECRET: "bench",
        SLACK_API_URL: quick.url,
      },
    });
    try {
      await fleet.scaleTo(1);
      const chats = {
        telegram: evenChats("telegram", CHATS_EACH_PARTITION),
        slack: evenChats("slack", 1, "D0"),
      };
      const stuck = numberedQuestions("telegram", chats.telegram);
      const measured = numberedQuestions("slack", chats.slack);
      const arrival = async (): Promise<number> => {
        const before = quick.arrivals.length;
        const beganMs = performance.now();
        await measured.ask(fleet.log, 1);
        await eventually(() => quick.arrivals.length > before, { withinMs: ARRIVES_WITHIN_MS, everyMs: 1 });
        return (quick.arrivals.at(-1)?.atMs ?? NaN) - beganMs;
      };
      const p99 = async (): Promise<number> => {
        const times: number[] = [];
        while (times.length < bench.options.n) times.push(await arrival());
        return quantile(times, 0.99);
      };
      const whileStalled = async (): Promise<number> => {
        stalling.takes(Infinity);
        await stuck.ask(fleet.log, BACKLOG);
        await eventually(() => stalling.stalled >= STUCK, WITHIN);
        const value = await p99();
        stalling.takes(0);
        await eventually(
          () => new Set(stalling.arrivals.map(({ chat, text }) => chat + text)).size >= stuck.asked,
          WITHIN,
        );
        return value;
      };
      await p99();
      const pairs = await interleave(bench.options.pairs, whileStalled, p99);
      const note = `${STUCK} sends of the other channel hang, and ${BACKLOG - STUCK} questions wait behind them`;
      return [
        rowOfPairs("ask to provider beside a stalled channel, p99", "ms", pairs, { atMost: 1.5 }, note),
      ];
    } finally {
      await fleet.close();
      await Promise.all([stalling.stop(), quick.stop()]);
    }
  },
};
