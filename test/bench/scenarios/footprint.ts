import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { temporaryHome } from "@interlude/testing";
import type { Scenario } from "../bench.ts";
import { startComposition } from "../composition.ts";
import { openDoors } from "../doors.ts";
import { delay, sustainedRate, timed } from "../load.ts";
import { interleave, type Row, rowOf, rowOfPairs } from "../measurement.ts";
import { processFigures } from "../process-figures.ts";
import { spreadOf } from "../statistics.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const QUIET_MS = 3_000;
const LOADED_SECONDS = 8;
const CALLERS = 64;
/** Says that it runs, and stays. */
const BARE = ["--import", "tsx", "--eval", "console.log(1); setInterval(() => undefined, 60_000)"];

/** How soon a warm `dev` answers, and what memory its process takes, against a bare Node that loads TypeScript. */
export const footprint: Scenario = {
  name: "footprint",
  seconds: () => 60,
  async run(bench) {
    return [await startTimes(bench.options.pairs), ...(await memory())];
  },
};

async function startTimes(pairs: number): Promise<Row> {
  const home = temporaryHome("bench");
  const start = async () => {
    const composition = await startComposition({ home });
    await composition.stop();
    return composition.readyMs;
  };
  try {
    // The first start makes the home; the others find it.
    await start();
    const times = await interleave(pairs, start, () => timed(async () => end(await startBare())));
    return rowOfPairs(
      "dev, warm start to ready",
      "ms",
      times,
      undefined,
      "the reference is a bare Node with tsx",
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function memory(): Promise<Row[]> {
  const bare = await startBare();
  const composition = await startComposition();
  const doors = openDoors(composition);
  try {
    await delay(QUIET_MS);
    const reference = megabytes(bare.pid ?? 0);
    const idle = megabytes(composition.pid);
    await sustainedRate(CALLERS, LOADED_SECONDS, async () => doors.answer((await doors.ask()).id));
    const loaded = megabytes(composition.pid);
    if (reference === undefined || idle === undefined || loaded === undefined) return [];
    return [
      against("memory of the composed process, idle", idle.now, reference.now),
      against(`memory, peak of ${LOADED_SECONDS} s with ${CALLERS} callers`, loaded.peak, reference.now),
    ];
  } finally {
    await doors.close();
    await composition.stop();
    await end(bare);
  }
}

function megabytes(pid: number): { now: number; peak: number } | undefined {
  const figures = processFigures(pid);
  return figures === undefined ? undefined : { now: figures.rssKb / 1_024, peak: figures.peakRssKb / 1_024 };
}

function against(name: string, ours: number, reference: number): Row {
  return {
    ...rowOf(name, "MB", [ours]),
    reference: spreadOf([reference]),
    ratio: spreadOf([ours / reference]),
  };
}

async function startBare(): Promise<ChildProcess> {
  const child = spawn(process.execPath, BARE, { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
