import type { Scenario } from "../bench.ts";
import { sustainedRate } from "../load.ts";
import { interleave, type Row, rowOf, rowOfPairs } from "../measurement.ts";
import { processFigures } from "../process-figures.ts";
import { openSides } from "../sides.ts";
import { ratiosOf, spreadOf } from "../statistics.ts";

const CALLERS = 64;
const SECONDS = 3;

/** Callers that ask and answer without pause, against as many that publish the same two events. */
export const throughput: Scenario = {
  name: "throughput",
  seconds: () => 40,
  async run(bench) {
    const sides = await openSides(bench);
    const { doors, raw, composition } = sides;
    const cost = { gateway: [], server: [], rawServer: [] } as Record<
      "gateway" | "server" | "rawServer",
      number[]
    >;
    const cpu = (pid: number | undefined) => processFigures(pid ?? 0)?.cpuSeconds ?? NaN;
    const spend = async (into: number[], pid: number | undefined, work: () => Promise<number>) => {
      const before = cpu(pid);
      const rate = await work();
      into.push(((cpu(pid) - before) * 1e6) / (rate * SECONDS));
      return rate;
    };
    const ours = () => sustainedRate(CALLERS, SECONDS, async () => doors.answer((await doors.ask()).id));
    const reference = () => sustainedRate(CALLERS, SECONDS, async () => raw.answer(await raw.ask()));
    const { pid, natsPid } = composition;
    const measured = await interleave(
      bench.options.pairs,
      () => spend(cost.gateway, pid, () => spend(cost.server, natsPid, ours)),
      () => spend(cost.rawServer, natsPid, reference),
    );
    await sides.close();
    const row = rowOfPairs("asks with their answers, 64 callers", "/s", measured, { atLeast: 0.3 });
    if (cost.server.some(Number.isNaN)) return [row];
    return [row, ...costRows(cost, row.load)];
  },
};

/** Processor time says what a busy machine's clock cannot: what an ask with its answer costs. */
function costRows(cost: Record<"gateway" | "server" | "rawServer", number[]>, load: Row["load"]): Row[] {
  const server = rowOf("processor time of the log's server for each of them", "µs", cost.server);
  const reference = {
    reference: spreadOf(cost.rawServer),
    ratio: spreadOf(ratiosOf(cost.server, cost.rawServer)),
  };
  return [
    { ...server, ...reference, load },
    { ...rowOf("processor time of our process for each of them", "µs", cost.gateway), load },
  ];
}
