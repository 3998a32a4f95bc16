import { ServiceFailure } from "@interlude/kernel";
import { requireUp } from "./append.ts";
import type { Log } from "./connect.ts";
import { lastMessage } from "./media-objects.ts";
import { type ParkAddress, parseRunSubject, runEventFilter, runSubject } from "./run-subjects.ts";
import { STREAMS } from "./streams.ts";

/**
 * Whether the run goes on from something beside this park: one that came after it (which may even have been
 * resumed meanwhile, where an earlier attempt had parked), or an older one that has not been resumed. By the
 * leader's word. @throws ServiceFailure `log_unavailable`
 */
export async function hasOtherPark(log: Log, address: ParkAddress): Promise<boolean> {
  return (await hasLaterPark(log, address)) || hasOtherOpenPark(log, address);
}

async function hasLaterPark(log: Log, address: ParkAddress): Promise<boolean> {
  const last = await lastMessage(log, STREAMS.runs, runEventFilter("parked", address));
  if (last === undefined || parseRunSubject(last.subject)?.address.parkToken === address.parkToken) {
    return false;
  }
  // A park is among those that were looked at; a turn began elsewhere.
  const turn = await lastMessage(log, STREAMS.runs, runSubject("turn_received", address).subject);
  return last.seq > (turn?.seq ?? 0);
}

/** By subjects alone: a run may have parked ten thousand times. */
async function hasOtherOpenPark(log: Log, address: ParkAddress): Promise<boolean> {
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
