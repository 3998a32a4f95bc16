import type { RunEvent } from "@interlude/contract";
import {
  decideRun,
  evolvePark,
  foldOtherClaim,
  foldPark,
  type KnownPark,
  type Park,
  type RunCommand,
  type RunFacts,
  type RunHistoryEntry,
  type RunRefusal,
  UNPARKED,
} from "@interlude/domain";
import { ServiceFailure } from "@interlude/kernel";
import { newEventId, type TraceContext } from "./envelope.ts";
import type { StoredRunEntry } from "./read-stored-run.ts";
import type { RunHistory, RunStore } from "./run-store.ts";
import type { ParkAddress } from "./run-subjects.ts";

const MAX_ATTEMPTS = 8;

/** What a caller adds around the decision. `Refused` is the caller's own kind of no. */
export type AroundRun<Refused> = {
  /** Asked before the decision (who may); a value refuses. */
  before?: (park: Park) => Refused | undefined;
  trace?: TraceContext;
};

export type HandledRun<Refused = never> =
  /** `sequence` is that of the stored event, else the run's last. */
  | { ok: true; park: KnownPark; sequence: number; changed: boolean }
  | { ok: false; refused: Refused }
  | { ok: false; refusal: RunRefusal; park: Park };

/**
 * The shell around the decider of runs: load, fold, decide, append; contention is retried here and nowhere
 * else. The command is made anew for each attempt, so that a lease is judged by the time of its last one.
 * @throws ServiceFailure `append_contended`, `log_unavailable`, `log_full`
 */
export async function handleRunCommand<Refused = never>(
  store: RunStore,
  address: ParkAddress,
  commandAt: (nowMs: number) => RunCommand,
  nowMs: () => number,
  around: AroundRun<Refused> = {},
): Promise<HandledRun<Refused>> {
  const eventId = newEventId();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const command = commandAt(nowMs());
    const history = await store.read(address, command.type === "Park" ? command.parkId : undefined);
    const folded = factsOf(history);
    if (!folded.ok) return { ok: false, refusal: folded.refusal, park: UNPARKED };
    const { park } = folded.facts;
    const own = history.park.find((stored) => stored.eventId === eventId);
    if (own !== undefined) return { ok: true, park: known(park), sequence: own.sequence, changed: true };

    const refused = around.before?.(park);
    if (refused !== undefined) return { ok: false, refused };
    const decision = decideRun(command, folded.facts);
    if (!decision.ok) return { ok: false, refusal: decision.refusal, park };
    const [event] = decision.events;
    if (event === undefined)
      return { ok: true, park: known(park), sequence: history.position, changed: false };

    const trace = around.trace === undefined ? {} : { trace: around.trace };
    const outcome = await append(store, event, address, history, { eventId, nowMs: nowMs(), ...trace });
    if (outcome !== undefined) {
      const next = evolvePark(park, { sequence: outcome, event });
      return { ok: true, park: known(next), sequence: outcome, changed: true };
    }
    // Conflict or no acknowledgement: read again, and look for our own event in it.
  }
  throw new ServiceFailure("append_contended", {
    retry: "later",
    context: { ...address, attempts: MAX_ATTEMPTS },
  });
}

/** The stored sequence; `undefined`: not stored, or nobody can say. */
async function append(
  store: RunStore,
  event: RunEvent,
  address: ParkAddress,
  history: RunHistory,
  write: Parameters<RunStore["append"]>[3],
): Promise<number | undefined> {
  // A request has its own place, where nothing is expected; what the run has otherwise does not matter to it.
  const position = event.type === "resume_requested" ? 0 : history.position;
  const outcome = await store.append(event, address, position, write);
  return outcome.status === "appended" ? outcome.sequence : undefined;
}

export type FoldedRun = { ok: true; facts: RunFacts } | { ok: false; refusal: RunRefusal };

/** What deciders are told of a run, out of what was read of it. */
export function factsOf(history: RunHistory): FoldedRun {
  const own = foldPark(history.park.map(domainEntry));
  const other = foldOtherClaim(history.otherPark.map(domainEntry));
  if (!own.ok) return own;
  if (!other.ok) return other;
  return {
    ok: true,
    facts: {
      park: own.park,
      isNameTaken: history.isNameTaken,
      ...(other.claim === undefined ? {} : { otherClaim: other.claim }),
    },
  };
}

function domainEntry({ sequence, entry }: StoredRunEntry): RunHistoryEntry {
  return "unknownType" in entry ? { sequence, ...entry } : { sequence, event: entry };
}

function known(park: Park): KnownPark {
  if (park.status === "unparked") throw new ServiceFailure("invariant_broken", { retry: "never" });
  return park;
}
