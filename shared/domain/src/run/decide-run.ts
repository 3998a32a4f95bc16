import { formatInstant, type RunEvent } from "@interlude/contract";
import { accept, type Decision, type Json, refuse, unreachable } from "@interlude/kernel";
import { parkSet } from "./barrier.ts";
import { attemptsOf, type Claim, type KnownPark, type RunFacts, type RunRefusal } from "./park.ts";

export type ParkCommand = Readonly<{
  type: "Park";
  driver: string;
  runId: string;
  parkId: string;
  owner: string;
  interactionIds: readonly string[];
  /** The claim under which the run parks again: it must live. */
  fromClaim?: string;
  nowMs: number;
}>;

type OnClaim = Readonly<{ claimId: string; nowMs: number }>;
type ClaimCommand = Readonly<{
  type: "Claim";
  claimId: string;
  leaseMs: number;
  maxAttempts: number;
  key?: string;
  /** The driver's, for a turn that came before anybody had registered it. */
  owner?: string;
  nowMs: number;
}>;
type RenewCommand = OnClaim & Readonly<{ type: "Renew"; leaseMs: number }>;
type CompleteCommand = OnClaim &
  Readonly<{
    type: "Complete";
    result?: Json;
    parked?: boolean;
    /** `false`: nothing would ever go on with a run that says it has parked, having no other park to go on from. */
    isAwaited?: boolean;
  }>;
type FailCommand = OnClaim & Readonly<{ type: "Fail"; reason: string; retry: boolean; maxAttempts: number }>;

export type RunCommand =
  | ParkCommand
  | Readonly<{ type: "RequestResume"; nowMs: number }>
  | ClaimCommand
  | RenewCommand
  | CompleteCommand
  | FailCommand
  /** Without a claim: there is nobody who may go on with the run. */
  | Readonly<{ type: "FailForGood"; reason: string; nowMs: number }>
  | Readonly<{ type: "Replay"; by: string; nowMs: number }>;

export type RunDecision = Decision<RunEvent, RunRefusal>;

const LONGEST_BACKOFF_S = 300;
const USED_UP = "no attempt came to an end within its lease";

/** How long after attempt 1, 2, 3 … the next may begin. */
export function backoffMs(attempt: number): number {
  return Math.min(2 ** (attempt - 1), LONGEST_BACKOFF_S) * 1_000;
}

export function decideRun(command: RunCommand, facts: RunFacts): RunDecision {
  if (command.type === "Park") return decidePark(command, facts);
  const { park } = facts;
  if (park.status === "unparked") return refuse({ code: "not_found" });

  switch (command.type) {
    case "RequestResume":
      if (park.status !== "parked") return accept();
      return accept<RunEvent>({ type: "resume_requested", data: belonging(park, command.nowMs) });
    case "Claim":
      return decideClaim(command, park, facts);
    case "Renew":
      return decideRenew(command, park, facts);
    case "Complete":
      return decideComplete(command, park, facts);
    case "Fail":
      return decideFail(command, park, facts);
    case "FailForGood":
      return decideFailForGood(command, park);
    case "Replay":
      if (park.status !== "failed") return refuse({ code: "not_failed" });
      return accept<RunEvent>({
        type: "replayed",
        data: { ...belonging(park, command.nowMs), by: command.by },
      });
    default:
      return unreachable(command);
  }
}

/** A set is parked once, whatever id a repeat gives it: the first one's stays. */
function decidePark(command: ParkCommand, { park, otherClaim, isNameTaken }: RunFacts): RunDecision {
  const { driver, runId, parkId, owner, fromClaim, nowMs } = command;
  const ids = parkSet(command.interactionIds);
  if (park.status !== "unparked") {
    const isRepeat = park.parked.owner === owner && sameSet(park.parked.interaction_ids, ids);
    return isRepeat ? accept() : refuse({ code: "idempotency_conflict" });
  }
  if (isNameTaken === true) return refuse({ code: "idempotency_conflict" });
  if (fromClaim !== undefined) {
    const isLive = otherClaim?.claimId === fromClaim && nowMs < (otherClaim.liveUntilMs ?? 0);
    if (!isLive) return refuse({ code: "lease_lost" });
  }
  return accept<RunEvent>({
    type: "parked",
    data: {
      ...{ driver, run_id: runId, park_id: parkId, owner, at: formatInstant(nowMs) },
      interaction_ids: ids,
      ...(fromClaim === undefined ? {} : { from_claim: fromClaim }),
    },
  });
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

function decideClaim(command: ClaimCommand, park: KnownPark, facts: RunFacts): RunDecision {
  const { claimId, key, nowMs, maxAttempts } = command;
  if (park.status === "claimed" && nowMs < park.claim.leaseUntilMs) {
    const isRepeat = park.claim.claimId === claimId || (key !== undefined && park.claim.key === key);
    if (isRepeat && holds(park, park.claim.claimId, nowMs, facts)) return accept();
  }
  const refusal = refusalOfClaim(park, nowMs, facts);
  if (refusal !== undefined) return refuse(refusal);

  const attempts = attemptsOf(park);
  if (attempts >= maxAttempts) {
    const reason = park.status === "waiting" ? park.reason : USED_UP;
    return accept<RunEvent>({
      type: "failed",
      data: { ...belonging(park, nowMs), reason, attempt: attempts },
    });
  }
  return accept<RunEvent>({
    type: "claimed",
    data: {
      ...belonging(park, nowMs),
      ...(park.parked.owner === "" ? { owner: command.owner ?? "" } : {}),
      claim_id: claimId,
      lease_until: formatInstant(nowMs + command.leaseMs),
      attempt: attempts + 1,
      ...(key === undefined ? {} : { key }),
    },
  });
}

function refusalOfClaim(park: KnownPark, nowMs: number, { otherClaim }: RunFacts): RunRefusal | undefined {
  if (park.status !== "requested" && park.status !== "claimed" && park.status !== "waiting") {
    return { code: "not_claimable" };
  }
  const busyUntilMs = otherClaim?.liveUntilMs ?? 0;
  if (nowMs < busyUntilMs) return { code: "run_busy", untilMs: busyUntilMs };
  if (park.status === "requested") return undefined;
  const availableAtMs = park.status === "claimed" ? park.claim.leaseUntilMs : park.retryAtMs;
  return nowMs < availableAtMs ? { code: "not_claimable", availableAtMs } : undefined;
}

/** Whether a claim is the run's last and its lease has not run out; who is late has lost it, even if nobody else came. */
function holds(
  park: KnownPark,
  claimId: string,
  nowMs: number,
  { otherClaim }: RunFacts,
): park is Extract<KnownPark, { status: "claimed" }> {
  if (park.status !== "claimed" || park.claim.claimId !== claimId) return false;
  const isLast = (otherClaim?.fencing ?? 0) < park.claim.fencing;
  return isLast && nowMs < park.claim.leaseUntilMs;
}

/** The claim, as long as it is the run's last and its lease has not run out: what its bearer may still do anything by. */
export function liveClaim(facts: RunFacts, claimId: string, nowMs: number): Claim | undefined {
  const { park } = facts;
  if (park.status === "unparked" || !holds(park, claimId, nowMs, facts)) return undefined;
  return park.claim;
}

function decideRenew(command: RenewCommand, park: KnownPark, facts: RunFacts): RunDecision {
  const { claimId, nowMs, leaseMs } = command;
  if (!holds(park, claimId, nowMs, facts)) return refuse({ code: "lease_lost" });
  const untilMs = nowMs + leaseMs;
  // A clock that is a little behind must not shorten a lease that was promised.
  if (untilMs <= park.claim.leaseUntilMs) return accept();
  return accept<RunEvent>({
    type: "renewed",
    data: {
      ...belonging(park, nowMs),
      claim_id: claimId,
      fencing: park.claim.fencing,
      lease_until: formatInstant(untilMs),
    },
  });
}

function decideComplete(command: CompleteCommand, park: KnownPark, facts: RunFacts): RunDecision {
  const { claimId, nowMs, result, parked, isAwaited } = command;
  if (park.status === "resumed" && park.claim.claimId === claimId) return accept();
  if (!holds(park, claimId, nowMs, facts)) return refuse({ code: "lease_lost" });
  if (parked === true && isAwaited === false) return refuse({ code: "not_parked" });
  return accept<RunEvent>({
    type: "resumed",
    data: {
      ...belonging(park, nowMs),
      claim_id: claimId,
      fencing: park.claim.fencing,
      ...(result === undefined ? {} : { result }),
      ...(parked === true ? { parked } : {}),
    },
  });
}

function decideFail(command: FailCommand, park: KnownPark, facts: RunFacts): RunDecision {
  const { claimId, nowMs, reason } = command;
  if (hasGivenUp(park, claimId)) return accept();
  if (!holds(park, claimId, nowMs, facts)) return refuse({ code: "lease_lost" });
  const { fencing, attempt } = park.claim;
  const common = { ...belonging(park, nowMs), claim_id: claimId, reason, attempt };
  if (!command.retry || attempt >= command.maxAttempts) {
    return accept<RunEvent>({ type: "failed", data: common });
  }
  const retry_at = formatInstant(nowMs + backoffMs(attempt));
  return accept<RunEvent>({ type: "attempt_failed", data: { ...common, fencing, retry_at } });
}

/** The claim that gave up says so again: its first answer was lost. */
function hasGivenUp(park: KnownPark, claimId: string): boolean {
  if (park.status === "failed") return park.failed.claim_id === claimId;
  return park.status === "waiting" && park.claim.claimId === claimId;
}

function decideFailForGood(
  { reason, nowMs }: Extract<RunCommand, { type: "FailForGood" }>,
  park: KnownPark,
): RunDecision {
  if (park.status === "failed") return accept();
  if (park.status === "parked" || park.status === "resumed") return refuse({ code: "not_claimable" });
  if (park.status === "claimed" && nowMs < park.claim.leaseUntilMs) {
    return refuse({ code: "not_claimable", availableAtMs: park.claim.leaseUntilMs });
  }
  const data = { ...belonging(park, nowMs), reason, attempt: attemptsOf(park) };
  return accept<RunEvent>({ type: "failed", data });
}

function belonging({ parked }: KnownPark, nowMs: number) {
  const { driver, run_id, park_id, owner } = parked;
  return { driver, run_id, park_id, owner, at: formatInstant(nowMs) };
}
