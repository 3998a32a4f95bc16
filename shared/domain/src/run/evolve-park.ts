import { parseInstant, type RunEvent } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";
import { type KnownPark, type OtherClaim, type Park, type RunRefusal, UNPARKED } from "./park.ts";

/** An event of a park with the sequence under which it is stored, which is a claim's fencing number. */
export type StoredRunEvent = Readonly<{ sequence: number; event: RunEvent }>;

/** One entry of a park's history: the event, or the type of one that this process does not know. */
export type RunHistoryEntry = StoredRunEvent | Readonly<{ sequence: number; unknownType: string }>;

export type FoldedPark = { ok: true; park: Park } | { ok: false; refusal: RunRefusal };

/** Total: an event that cannot follow the state (a second completion, a dead claim's renewal) changes nothing. */
export function evolvePark(park: Park, { sequence, event }: StoredRunEvent): Park {
  if (park.status === "unparked") {
    if (event.type === "turn_received") {
      return { status: "requested", parked: { ...event.data, interaction_ids: [] } };
    }
    return event.type === "parked" ? { status: "parked", parked: event.data } : park;
  }
  const { parked } = park;
  switch (event.type) {
    case "parked":
    case "turn_received":
      return park;
    case "resume_requested":
      return park.status === "parked" ? { status: "requested", parked } : park;
    case "claimed":
      return claimed(park, sequence, event.data);
    case "renewed":
      return isOfClaim(park, event.data.claim_id)
        ? { ...park, claim: { ...park.claim, leaseUntilMs: instantMs(event.data.lease_until) } }
        : park;
    case "attempt_failed": {
      const { claim_id, reason, retry_at } = event.data;
      if (!isOfClaim(park, claim_id)) return park;
      return { status: "waiting", parked, claim: park.claim, retryAtMs: instantMs(retry_at), reason };
    }
    case "resumed":
      return isOfClaim(park, event.data.claim_id) ? { status: "resumed", parked, claim: park.claim } : park;
    case "failed":
      return park.status === "parked" || park.status === "resumed"
        ? park
        : { status: "failed", parked, failed: event.data };
    case "replayed":
      return park.status === "failed" ? { status: "requested", parked } : park;
    default:
      return unreachable(event);
  }
}

function claimed(
  park: KnownPark,
  fencing: number,
  data: Extract<RunEvent, { type: "claimed" }>["data"],
): Park {
  if (park.status !== "requested" && park.status !== "waiting" && park.status !== "claimed") return park;
  const { claim_id: claimId, attempt, lease_until, key, owner } = data;
  const claim = { claimId, fencing, attempt, leaseUntilMs: instantMs(lease_until) };
  return {
    status: "claimed",
    // Of a turn that came before its driver was registered, the claim tells the owner first.
    parked: { ...park.parked, owner },
    claim: key === undefined ? claim : { ...claim, key },
  };
}

function isOfClaim(park: KnownPark, claimId: string): park is Extract<Park, { status: "claimed" }> {
  return park.status === "claimed" && park.claim.claimId === claimId;
}

/** A time that cannot be read is long past: a lease that nobody can tell the end of holds nothing. */
function instantMs(text: string): number {
  return parseInstant(text) ?? 0;
}

/** Folds a park's history in log order. An unknown event is a refusal: deciding past it could overrule it. */
export function foldPark(history: readonly RunHistoryEntry[]): FoldedPark {
  let park = UNPARKED;
  for (const entry of history) {
    if ("unknownType" in entry) {
      return {
        ok: false,
        refusal: { code: "unavailable", reason: `unknown event type ${entry.unknownType}` },
      };
    }
    park = evolvePark(park, entry);
  }
  return { ok: true, park };
}

export type FoldedClaim = { ok: true; claim?: OtherClaim } | { ok: false; refusal: RunRefusal };

/** The last claim of a park, whatever became of it, as a decision about another park of its run sees it. */
export function foldOtherClaim(history: readonly RunHistoryEntry[]): FoldedClaim {
  const folded = foldPark(history);
  if (!folded.ok) return folded;
  const { park } = folded;
  for (const entry of history.toReversed()) {
    if ("unknownType" in entry || entry.event.type !== "claimed") continue;
    const { sequence: fencing } = entry;
    const claim = { claimId: entry.event.data.claim_id, fencing };
    const isLive = park.status === "claimed" && park.claim.fencing === fencing;
    return { ok: true, claim: isLive ? { ...claim, liveUntilMs: park.claim.leaseUntilMs } : claim };
  }
  return { ok: true };
}
