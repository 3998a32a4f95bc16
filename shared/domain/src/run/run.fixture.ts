import { formatInstant, type RunEvent } from "@interlude/contract";
import { decideRun, type ParkCommand, type RunCommand, type RunDecision } from "./decide-run.ts";
import { evolvePark, foldOtherClaim, foldPark, type StoredRunEvent } from "./evolve-park.ts";
import { type Park, type RunFacts, UNPARKED } from "./park.ts";

/** A park of run-1 of driver bot, at 0; for tests. */
export function parkCommand(changes: Partial<ParkCommand> = {}): ParkCommand {
  return {
    type: "Park",
    driver: "bot",
    runId: "run-1",
    parkId: "park-1",
    owner: "ann",
    interactionIds: ["question-1", "question-2"],
    nowMs: 0,
    ...changes,
  };
}

/** What was said in a conversation whose driver nobody has registered yet, at 0; for tests. */
export function turnReceived(): RunEvent {
  const turn = { channel: "telegram", partition: 3, thread: "th", route: "r", sealed: "s" };
  const data = { driver: "bot", run_id: "run-1", park_id: "turn-1", owner: "", at: formatInstant(0), turn };
  return { type: "turn_received", data };
}

type Stored = StoredRunEvent & { token: string };

/** One run in memory, read as deciders read it: the last event of each type of a park, and the run's last claim. */
export class RunInMemory {
  readonly stored: Stored[] = [];

  facts(token: string): RunFacts {
    const last = this.stored.findLast(({ event }) => event.type === "claimed");
    if (last === undefined || last.token === token) return { park: this.park(token) };
    const other = foldOtherClaim(this.#lastOfEachType(last.token));
    const otherClaim = other.ok ? other.claim : undefined;
    return { park: this.park(token), ...(otherClaim === undefined ? {} : { otherClaim }) };
  }

  park(token: string): Park {
    const folded = foldPark(this.#lastOfEachType(token));
    return folded.ok ? folded.park : UNPARKED;
  }

  #lastOfEachType(token: string): Stored[] {
    const own = this.stored.filter((each) => each.token === token);
    const lastOfEach = new Map(own.map((each) => [each.event.type, each]));
    return [...lastOfEach.values()].sort((a, b) => a.sequence - b.sequence);
  }

  /** The same state, of every event that there ever was. */
  replayed(token: string): Park {
    return this.stored.filter((each) => each.token === token).reduce(evolvePark, UNPARKED);
  }

  handle(token: string, command: RunCommand): RunDecision {
    const decision = decideRun(command, this.facts(token));
    if (decision.ok) for (const event of decision.events) this.store(token, event);
    return decision;
  }

  store(token: string, event: RunEvent): void {
    this.stored.push({ token, sequence: this.stored.length + 1, event });
  }
}
