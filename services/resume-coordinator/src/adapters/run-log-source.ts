import { type Log, logBounds, readForward, readRunsForward, STREAMS } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import type { Positions, RunModelEntry } from "@interlude/run-model";
import type { RunSource } from "../application/follow-runs.ts";

export function createRunLogSource(log: Log, onUnreadable: (error: unknown) => void): RunSource {
  return {
    isUp: () => log.isUp(),
    lastPositions: () => lastPositions(log),
    read: (stream, fromSequence, signal) => {
      const options = { fromSequence, signal, onUnreadable };
      return stream === "interactions" ? interactionsOf(log, options) : runsOf(log, options);
    },
  };
}

/** @throws ServiceFailure `log_unavailable` */
export async function lastPositions(log: Log): Promise<Positions> {
  try {
    const [interactions, runs] = await Promise.all([
      logBounds(log, STREAMS.interactions),
      logBounds(log, STREAMS.runs),
    ]);
    return { interactions: interactions.lastSequence, runs: runs.lastSequence };
  } catch (cause) {
    throw new ServiceFailure("log_unavailable", { retry: "later", cause, message: "NATS does not answer" });
  }
}

type Options = Parameters<typeof readForward>[1];

async function* interactionsOf(log: Log, options: Options): AsyncGenerator<RunModelEntry> {
  for await (const { sequence, entry } of readForward(log, options)) {
    yield { stream: "interactions", sequence, entry };
  }
}

async function* runsOf(log: Log, options: Options): AsyncGenerator<RunModelEntry> {
  for await (const read of readRunsForward(log, options)) {
    const { sequence } = read;
    if (read.address !== undefined) {
      yield { stream: "runs", sequence, address: read.address, entry: read.entry };
    } else if ("type" in read.entry) {
      yield { stream: "runs", sequence, entry: { type: "registered" } };
    } else yield { stream: "runs", sequence, entry: read.entry };
  }
}
