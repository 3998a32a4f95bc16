import type { InteractionEvent } from "@interlude/contract";
import {
  decide,
  evolve,
  fold,
  type Interaction,
  type InteractionCommand,
  type InteractionRefusal,
  type KnownInteraction,
} from "@interlude/domain";
import { ServiceFailure } from "@interlude/kernel";
import { newEventId, type TraceContext } from "./envelope.ts";
import {
  addressOfAsked,
  type History,
  type InteractionStore,
  type StoredEntry,
} from "./interaction-store.ts";

const MAX_ATTEMPTS = 8;

/** What a caller adds around the decision. `Refused` is the caller's own kind of no. */
export type Around<Refused> = {
  /** Asked before the decision (who may, which format); a value refuses. */
  before?: (state: Interaction) => Refused | undefined;
  /** The command as it is to be decided on this state, where that differs; asked after `before`. */
  fit?: (state: Interaction) => Promise<InteractionCommand> | undefined;
  /** Asked of a decision that would change something (is the answer valid); a value refuses. */
  after?: (state: Interaction) => Refused | undefined;
  /** Turns the decided event into the one to store (sealing). */
  seal?: (event: InteractionEvent, state: Interaction) => Promise<InteractionEvent>;
  trace?: TraceContext;
};

export type Handled<Refused> =
  | { ok: true; state: KnownInteraction; sequence: number; changed: boolean }
  | { ok: false; refused: Refused }
  | { ok: false; refusal: InteractionRefusal; state: Interaction };

/**
 * The shell around the decider, the same for every service: load, fold, decide, append; contention is
 * retried here and nowhere else. One decision is one event is one message. What is accepted costs one read,
 * which may be behind, since the expectation proves it; what is refused has been read from the leader.
 * @throws ServiceFailure `append_contended`, `log_unavailable`, `log_full`
 */
export async function handleCommand<Refused = never>(
  store: InteractionStore,
  id: string,
  command: InteractionCommand,
  nowMs: () => number,
  around: Around<Refused> = {},
): Promise<Handled<Refused>> {
  const eventId = newEventId();
  // A fresh id cannot have a history: the expectation proves it, and a conflict loads it.
  let history: History = command.type === "Ask" ? { entries: [], position: 0 } : await store.read(id);
  let isFresh = false;

  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const folded = fold(history.entries.map((stored) => stored.entry));
    if (!folded.ok) return { ok: false, refusal: folded.refusal, state: { status: "unasked" } };
    const state = folded.state;
    const own = history.entries.find((stored) => stored.eventId === eventId);
    if (own !== undefined && state.status !== "unasked") return landed(state, own);

    const judged = await judge(command, state, history, around);
    if (judged.kind === "settled") {
      if (judged.handled.ok || isFresh) return judged.handled;
      // What a replica or a memory says may lack what somebody has been told of: a no is said by the leader alone.
      history = await store.readFresh(id);
      isFresh = true;
      continue;
    }
    const { decided } = judged;

    const event = (await around.seal?.(decided, state)) ?? decided;
    const next = evolve(state, event);
    if (next.status === "unasked") throw new ServiceFailure("invariant_broken", { retry: "never" });
    const write = { eventId, nowMs: nowMs(), ...(around.trace === undefined ? {} : { trace: around.trace }) };
    const outcome = await store.append(event, addressOfAsked(next.asked), history.position, write);
    if (outcome.status === "appended")
      return { ok: true, state: next, sequence: outcome.sequence, changed: true };
    // Conflict or no acknowledgement: read what the leader has, and look for our own event in it.
    history = await store.readFresh(id);
    isFresh = true;
  }
  throw new ServiceFailure("append_contended", { retry: "later", context: { id, attempts: MAX_ATTEMPTS } });
}

type Judged<Refused> =
  { kind: "settled"; handled: Handled<Refused> } | { kind: "decided"; decided: InteractionEvent };

/** What comes of the command in this state: an event to store, or an outcome that stores none. */
async function judge<Refused>(
  command: InteractionCommand,
  state: Interaction,
  history: History,
  around: Around<Refused>,
): Promise<Judged<Refused>> {
  const settled = (handled: Handled<Refused>): Judged<Refused> => ({ kind: "settled", handled });
  const refused = around.before?.(state);
  if (refused !== undefined) return settled({ ok: false, refused });
  const decision = decide((await around.fit?.(state)) ?? command, state);
  if (!decision.ok) return settled({ ok: false, refusal: decision.refusal, state });
  const [decided] = decision.events;
  if (decided === undefined) return settled(unchanged(state, history));
  const invalid = around.after?.(state);
  if (invalid !== undefined) return settled({ ok: false, refused: invalid });
  return { kind: "decided", decided };
}

function landed<Refused>(state: KnownInteraction, own: StoredEntry): Handled<Refused> {
  return { ok: true, state, sequence: own.sequence, changed: true };
}

function unchanged<Refused>(state: Interaction, history: History): Handled<Refused> {
  if (state.status === "unasked") throw new ServiceFailure("invariant_broken", { retry: "never" });
  return { ok: true, state, sequence: history.position, changed: false };
}
