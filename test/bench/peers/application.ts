import { delay, sustainedRate } from "../load.ts";
import { median } from "../statistics.ts";
import type { Contender } from "./contender.ts";
import { openContender } from "./open-contender.ts";
import { Command, Contestant, type Reply } from "./protocol.ts";

/** Nothing measured runs longer than this, however slow the machine. */
const BLOCK_MS = 20_000;
const PARKED_AT_A_TIME = 64;
/** What was begun beside the parking of runs has ended then. */
const RUNS_REST_MS = 500;
const CLOSE_WITHIN_MS = 8_000;

async function latency(contender: Contender, callers: number, waves: number): Promise<number> {
  const endsAt = performance.now() + BLOCK_MS;
  const times: number[] = [];
  for (let done = 0; done < waves && performance.now() < endsAt; done++)
    times.push(...(await wave(contender, callers)));
  return median(times);
}

/** Many runs that wait are answered in one moment. */
async function wave(contender: Contender, callers: number): Promise<number[]> {
  const waiting = await Promise.all(Array.from({ length: callers }, () => contender.park()));
  const continuing = waiting.map((run) => run.continued());
  // Until whoever goes on with them is known to stand ready.
  await delay(callers === 1 ? 10 : 200);
  return Promise.all(
    waiting.map(async (run, index) => {
      const answeredAtMs = performance.now();
      const [continued] = await Promise.all([continuing[index], run.answer()]);
      await continued?.finished;
      return (continued?.atMs ?? NaN) - answeredAtMs;
    }),
  );
}

async function wholeRun(contender: Contender): Promise<void> {
  const run = await contender.park();
  const [continued] = await Promise.all([run.continued(), run.answer()]);
  await continued.finished;
}

/** Parks so many runs and keeps them; the bytes the process has then. */
async function hold(contender: Contender, runs: number): Promise<number> {
  const left = Array(runs).keys();
  const caller = async () => {
    for (const _ of left) await contender.park();
  };
  await Promise.all(Array.from({ length: PARKED_AT_A_TIME }, caller));
  await delay(RUNS_REST_MS);
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

function done(contender: Contender, command: Command): Promise<number> {
  switch (command.kind) {
    case "latency":
      return latency(contender, command.callers, command.waves);
    case "rate":
      return sustainedRate(command.callers, command.seconds, () => wholeRun(contender));
    case "hold":
      return hold(contender, command.runs);
  }
}

function reply(message: Reply): void {
  process.send?.(message);
}

async function main(): Promise<void> {
  const contender = await openContender(Contestant.parse(JSON.parse(process.argv[2] ?? "")));
  process.once("disconnect", () => {
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS);
    void contender.close().finally(() => process.exit(0));
  });
  process.on("message", (message) => {
    const command = Command.parse(message);
    done(contender, command).then(
      (value) => {
        reply({ kind: "done", value });
      },
      (error: unknown) => {
        reply({
          kind: "failed",
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        });
      },
    );
  });
  reply({ kind: "ready", serverPid: contender.serverPid });
}

await main();
