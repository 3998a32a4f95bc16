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
 * else. The command is made anew for each attempt, so that a lease is judged by the time of its last one. What is
 * stored costs one read, which may be behind, since the expectation proves it; what is refused, or changes
 * nothing, has been read as the leader has it.
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
  let isFresh = false;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const command = commandAt(nowMs());
    const shownAs = command.type === "Park" ? command.parkId : undefined;
    const glimpsed = isFresh ? undefined : await store.glimpse(address, shownAs);
    isFresh = glimpsed === undefined;
    const history = glimpsed ?? (await store.read(address, shownAs));
    const judged = judge(command, history, eventId, around);
    if (judged.kind === "settled") {
      if (isFresh) return judged.handled;
      isFresh = true;
      continue;
    }
    const { park, event } = judged;
    const trace = around.trace === undefined ? {} : { trace: around.trace };
    const outcome = await append(store, event, address, history, { eventId, nowMs: nowMs(), ...trace });
    if (outcome !== undefined) {
      const next = evolvePark(park, { sequence: outcome, event });
      return { ok: true, park: known(next), sequence: outcome, changed: true };
    }
    // Conflict or no acknowledgement: read what the leader has, and look for our own event in it.
    isFresh = true;
  }
  throw new ServiceFailure("append_contended", {
    retry: "later",
    context: { ...address, attempts: MAX_ATTEMPTS },
  });
}

type Judged<Refused> =
  { kind: "settled"; handled: HandledRun<Refused> } | { kind: "decided"; park: Park; event: RunEvent };

/** What comes of the command by this history: an event to store, or an outcome that stores none. */
function judge<Refused>(
  command: RunCommand,
  history: RunHistory,
  eventId: string,
  around: AroundRun<Refused>,
): Judged<Refused> {
  const settled = (handled: HandledRun<Refused>): Judged<Refused> => ({ kind: "settled", handled });
  const folded = factsOf(history);
  if (!folded.ok) return settled({ ok: false, refusal: folded.refusal, park: UNPARKED });
  const { park } = folded.facts;
  const own = history.park.find((stored) => stored.eventId === eventId);
  if (own !== undefined)
    return settled({ ok: true, park: known(park), sequence: own.sequence, changed: true });
  const refused = around.before?.(park);
  if (refused !== undefined) return settled({ ok: false, refused });
  const decision = decideRun(command, folded.facts);
  if (!decision.ok) return settled({ ok: false, refusal: decision.refusal, park });
  const [event] = decision.events;
  if (event === undefined)
    return settled({ ok: true, park: known(park), sequence: history.position, changed: false });
  return { kind: "decided", park, event };
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
