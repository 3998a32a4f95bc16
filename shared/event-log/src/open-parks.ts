import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import { type ParkAddress, parseRunSubject, runEventFilter } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/**
 * Whether the run has a park beside this one that has not been resumed: what it would go on from. By the leader's
 * word, and by subjects alone: a run may have parked ten thousand times. @throws ServiceFailure `log_unavailable`
 */
export async function hasOtherOpenPark(log: Log, address: ParkAddress): Promise<boolean> {
  // What was parked may be resumed in between, but not the other way round.
  const parked = await tokensOf(log, "parked", address);
  parked.delete(address.parkToken);
  if (parked.size === 0) return false;
  const resumed = await tokensOf(log, "resumed", address);
  return [...parked].some((token) => !resumed.has(token));
}

async function tokensOf(log: Log, event: "parked" | "resumed", address: ParkAddress): Promise<Set<string>> {
  requireUp(log);
  const subjects_filter = runEventFilter(event, address);
  const info = await log.manager.streams.info(STREAMS.runs, { subjects_filter }).catch((cause: unknown) => {
    throw new ServiceFailure("log_unavailable", { retry: "later", cause });
  });
  const found = Object.keys(info.state.subjects ?? {});
  return new Set(found.flatMap((subject) => parseRunSubject(subject)?.address.parkToken ?? []));
}
