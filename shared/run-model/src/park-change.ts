import { parseInstant, type RunEvent, type RunState } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";
import { storableText } from "./storable.ts";

/** An event of a park or a turn after its first. */
export type LaterEvent = Exclude<RunEvent, { type: "parked" | "turn_received" }>;

/** What one or more events set in a park's row; it needs no look at the row, which is why a batch is one statement. */
export type ParkChange = {
  sequence: number;
  atMs: number;
  state: Exclude<RunState, "parked">;
  /** `null`: as it is. */
  attempts: number | null;
  /** `undefined`: as it is. */
  reason: string | null | undefined;
  claimId: string | null;
  /** `null`: as it is. */
  fencing: number | null;
  availableAtMs: number | null;
  /** Told by a claim, for a turn whose owner was not known. `null`: as it is. */
  owner: string | null;
};

export function changeOf(event: LaterEvent, sequence: number): ParkChange {
  const atMs = momentOf(event.data.at);
  const as = { sequence, atMs, attempts: null, reason: undefined, claimId: null, fencing: null, owner: null };
  switch (event.type) {
    case "resume_requested":
      return { ...as, state: "resuming", availableAtMs: atMs };
    case "claimed": {
      const { claim_id, attempt, lease_until } = event.data;
      const owner = storableText(event.data.owner);
      const claim = { claimId: storableText(claim_id), fencing: sequence, attempts: attempt, owner };
      return { ...as, ...claim, state: "resuming", availableAtMs: momentOf(lease_until) };
    }
    case "renewed": {
      const { claim_id, fencing, lease_until } = event.data;
      const claim = { claimId: storableText(claim_id), fencing };
      return { ...as, ...claim, state: "resuming", availableAtMs: momentOf(lease_until) };
    }
    case "attempt_failed": {
      const { attempt, fencing, reason, retry_at } = event.data;
      const ended = { attempts: attempt, fencing, reason: storableText(reason) };
      return { ...as, ...ended, state: "resuming", availableAtMs: momentOf(retry_at) };
    }
    case "resumed":
      return { ...as, fencing: event.data.fencing, reason: null, state: "resumed", availableAtMs: null };
    case "failed": {
      const { attempt, reason } = event.data;
      return { ...as, attempts: attempt, reason: storableText(reason), state: "failed", availableAtMs: null };
    }
    case "replayed":
      return { ...as, attempts: 0, reason: null, state: "resuming", availableAtMs: atMs };
    default:
      return unreachable(event);
  }
}

/** The one change that two in their order come to. */
export function mergeChanges(earlier: ParkChange, later: ParkChange): ParkChange {
  return {
    ...later,
    attempts: later.attempts ?? earlier.attempts,
    reason: later.reason === undefined ? earlier.reason : later.reason,
    fencing: later.fencing ?? earlier.fencing,
    owner: later.owner ?? earlier.owner,
  };
}

/** Total: one odd event must not stop the rest. */
export function momentOf(instant: string): number {
  return parseInstant(instant) ?? 0;
}
