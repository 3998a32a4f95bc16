import { CheckpointError } from "./errors.ts";
import type { Keys } from "./keys.ts";
import { asList, asText, type Commands } from "./redis-client.ts";
import { DELETE } from "./scripts.ts";

export type SweepOptions = Readonly<{
  /** Threads that were not written to for so long go. Unset: the saver's `retentionSeconds`. */
  idleSeconds?: number | undefined;
  /**
   * Every run that may still go on: parked, being resumed, or failed and waiting to be tried again.
   * Asked once a sweep, and only when something is to be deleted. When it throws, nothing is deleted.
   */
  parkedRuns: () => Promise<Iterable<string>>;
  /** The thread of a run, where the two have different ids. */
  threadOfRun?: ((runId: string) => string) | undefined;
}>;

export type Swept =
  | Readonly<{ status: "swept"; deleted: number; parked: number }>
  /** Nothing was deleted: there is no retention, or it cannot be known which runs are parked. */
  | Readonly<{ status: "kept"; reason: "no_retention" }>
  | Readonly<{ status: "kept"; reason: "parked_runs_unknown"; cause: unknown }>;

const AT_ONCE = 50;

/**
 * Deletes idle threads that no parked run needs. The order is the guarantee: the idle ones are found
 * before the parked ones are asked for, and one that was written to meanwhile stays.
 */
export async function sweep(
  commands: Commands,
  keys: Keys,
  idleSeconds: number | undefined,
  options: SweepOptions,
): Promise<Swept> {
  if (idleSeconds === undefined) return { status: "kept", reason: "no_retention" };
  const latest = (await serverTimeMs(commands)) - checkSeconds("idleSeconds", idleSeconds) * 1_000;
  const idle = await idleThreads(commands, keys, latest);
  if (idle.length === 0) return { status: "swept", deleted: 0, parked: 0 };

  let parked: ReadonlySet<string>;
  try {
    parked = new Set(readRuns(await options.parkedRuns()).map(options.threadOfRun ?? ((runId) => runId)));
  } catch (cause) {
    return { status: "kept", reason: "parked_runs_unknown", cause };
  }
  const free = idle.filter((threadId) => !parked.has(threadId));
  return {
    status: "swept",
    deleted: await deleteIdle(commands, keys, free, latest),
    parked: idle.length - free.length,
  };
}

export function checkSeconds(name: string, seconds: number): number {
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new CheckpointError(
    "config_invalid",
    `${name} is ${seconds}; it must be a number of seconds, 0 or more`,
  );
}

async function serverTimeMs(commands: Commands): Promise<number> {
  const [seconds, microseconds] = asList(await commands.send(["TIME"])).map((part) => Number(asText(part)));
  return (seconds ?? Number.NaN) * 1_000 + Math.floor((microseconds ?? Number.NaN) / 1_000);
}

async function idleThreads(commands: Commands, keys: Keys, latest: number): Promise<string[]> {
  const idle = await commands.send(["ZRANGE", keys.threads, "-inf", String(latest), "BYSCORE"]);
  return asList(idle).map(asText);
}

/** A list with something else than names in it is no knowledge of what is parked. */
function readRuns(given: unknown): string[] {
  if (typeof given !== "object" || given === null || !(Symbol.iterator in given)) throw notRuns();
  const runs: string[] = [];
  for (const run of given as Iterable<unknown>) {
    if (typeof run !== "string") throw notRuns();
    runs.push(run);
  }
  return runs;
}

function notRuns(): CheckpointError {
  return new CheckpointError("config_invalid", "parkedRuns did not give the ids of runs");
}

async function deleteIdle(
  commands: Commands,
  keys: Keys,
  threads: readonly string[],
  latest: number,
): Promise<number> {
  let deleted = 0;
  for (let from = 0; from < threads.length; from += AT_ONCE) {
    const some = threads.slice(from, from + AT_ONCE);
    const replies = await Promise.all(
      some.map((threadId) => commands.run(DELETE, keys.ofThread(threadId), [threadId, String(latest)])),
    );
    deleted += replies.filter((reply) => reply === 1).length;
  }
  return deleted;
}
