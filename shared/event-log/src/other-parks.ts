import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
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
  const last = await lastMessage(log, STREAMS.runs, runEventFilter("parked", address));
  if (last === undefined) return false;
  // A park is among those that were looked at: the last one is this, or came after it.
  if (parseRunSubject(last.subject)?.address.parkToken !== address.parkToken) return true;
  return hasOtherOpenPark(log, address);
}

/**
 * Whether the run was parked since this turn was claimed first: what it was parked on before goes on by itself,
 * and an earlier attempt of this turn may have parked. By the leader's word. @throws ServiceFailure `log_unavailable`
 */
export async function hasParkedSinceClaimed(log: Log, turn: ParkAddress): Promise<boolean> {
  const claimed = await firstSequence(log, runSubject("claimed", turn).subject, 1);
  if (claimed === undefined) return false;
  return (await firstSequence(log, runEventFilter("parked", turn), claimed + 1)) !== undefined;
}

/** Of the first message from there on. */
async function firstSequence(log: Log, subject: string, from: number): Promise<number | undefined> {
  requireUp(log);
  try {
    const query = { seq: from, next_by_subj: subject };
    return (await log.manager.streams.getMessage(STREAMS.runs, query))?.seq;
  } catch (cause) {
    if (cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.NoMessageFound)
      return undefined;
    throw new ServiceFailure("log_unavailable", { retry: "later", cause });
  }
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
