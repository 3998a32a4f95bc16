import type { Json } from "@interlude/kernel";
import { z } from "zod";

const JsonValue: z.ZodType<Json> = z.json();
const Instant = z.string();

/** A driver as it was registered, or changed, by its owner. */
export const DriverRegisteredData = z.object({
  driver: z.string(),
  owner: z.string(),
  checkpointer: z.object({
    kind: z.enum(["postgres", "redis"]),
    retention_seconds: z.number().optional(),
  }),
  deliver: z.object({ url: z.string(), secret_ref: z.string() }).optional(),
  at: Instant,
});
export type DriverRegisteredData = z.infer<typeof DriverRegisteredData>;

/** What every event of a run says: whose run it is and which of its parks. */
const Belonging = {
  driver: z.string(),
  run_id: z.string(),
  /** As it is shown: the client's own, or one made of the set of questions. */
  park_id: z.string(),
  owner: z.string(),
  at: Instant,
};

/** Of which claim an event tells; `fencing` is the stored sequence of that claim's `claimed`. */
const OfClaim = { claim_id: z.string(), fencing: z.number() };

export const RunParkedData = z.object({
  ...Belonging,
  interaction_ids: z.array(z.string()),
  /** The claim under which the run parked, when it parked again. */
  from_claim: z.string().optional(),
});
export type RunParkedData = z.infer<typeof RunParkedData>;

/**
 * What a person said in a conversation, for a driver to answer: it is claimed as a resume is, under its own `park_id`.
 * Its owner is whoever owns the driver; empty where the driver was not registered yet.
 */
export const TurnReceivedData = z.object({
  ...Belonging,
  turn: z.object({
    channel: z.string(),
    /** The conversation's place: of its own, tokens alone. */
    partition: z.number().int().nonnegative(),
    thread: z.string(),
    /** Which route it came by. */
    route: z.string(),
    /** Who said what, and where replies go. */
    sealed: z.string(),
  }),
});
export type TurnReceivedData = z.infer<typeof TurnReceivedData>;

export const ResumeRequestedData = z.object({ ...Belonging });
export type ResumeRequestedData = z.infer<typeof ResumeRequestedData>;

/** Its fencing number is not in it: the sequence under which it is stored. */
export const RunClaimedData = z.object({
  ...Belonging,
  claim_id: z.string(),
  lease_until: Instant,
  attempt: z.number(),
  /** Hash of the idempotency key under which the claim was asked for. */
  key: z.string().optional(),
});
export type RunClaimedData = z.infer<typeof RunClaimedData>;

export const ClaimRenewedData = z.object({ ...Belonging, ...OfClaim, lease_until: Instant });
export type ClaimRenewedData = z.infer<typeof ClaimRenewedData>;

export const AttemptFailedData = z.object({
  ...Belonging,
  ...OfClaim,
  attempt: z.number(),
  reason: z.string(),
  retry_at: Instant,
});
export type AttemptFailedData = z.infer<typeof AttemptFailedData>;

export const RunResumedData = z.object({
  ...Belonging,
  ...OfClaim,
  result: JsonValue.optional(),
  /** The run has parked again and goes on later. */
  parked: z.boolean().optional(),
});
export type RunResumedData = z.infer<typeof RunResumedData>;

export const RunFailedData = z.object({
  ...Belonging,
  reason: z.string(),
  attempt: z.number(),
  /** Absent when no claim gave up: an identity was disabled, or the attempts were used up. */
  claim_id: z.string().optional(),
});
export type RunFailedData = z.infer<typeof RunFailedData>;

export const RunReplayedData = z.object({ ...Belonging, by: z.string() });
export type RunReplayedData = z.infer<typeof RunReplayedData>;

export type RunEvent =
  | { type: "parked"; data: RunParkedData }
  | { type: "turn_received"; data: TurnReceivedData }
  | { type: "resume_requested"; data: ResumeRequestedData }
  | { type: "claimed"; data: RunClaimedData }
  | { type: "renewed"; data: ClaimRenewedData }
  | { type: "attempt_failed"; data: AttemptFailedData }
  | { type: "resumed"; data: RunResumedData }
  | { type: "failed"; data: RunFailedData }
  | { type: "replayed"; data: RunReplayedData };

export type RunEventType = RunEvent["type"];

const PREFIX = "interlude.run.";

/** CloudEvents `type` of a run's event, e.g. `interlude.run.claimed.v1`. */
export function runCeType(type: RunEventType): string {
  return `${PREFIX}${type}.v1`;
}

/**
 * Reads a stored event of a run. `undefined` means a type or version this process does not know: a projection
 * skips and counts it, a decider must not decide past it.
 * @throws ZodError when the data is not what its type promises.
 */
export function parseRunEvent(ceType: string, data: unknown): RunEvent | undefined {
  switch (ceType) {
    case "interlude.run.parked.v1":
      return { type: "parked", data: RunParkedData.parse(data) };
    case "interlude.run.turn_received.v1":
      return { type: "turn_received", data: TurnReceivedData.parse(data) };
    case "interlude.run.resume_requested.v1":
      return { type: "resume_requested", data: ResumeRequestedData.parse(data) };
    case "interlude.run.claimed.v1":
      return { type: "claimed", data: RunClaimedData.parse(data) };
    case "interlude.run.renewed.v1":
      return { type: "renewed", data: ClaimRenewedData.parse(data) };
    case "interlude.run.attempt_failed.v1":
      return { type: "attempt_failed", data: AttemptFailedData.parse(data) };
    case "interlude.run.resumed.v1":
      return { type: "resumed", data: RunResumedData.parse(data) };
    case "interlude.run.failed.v1":
      return { type: "failed", data: RunFailedData.parse(data) };
    case "interlude.run.replayed.v1":
      return { type: "replayed", data: RunReplayedData.parse(data) };
    default:
      return undefined;
  }
}

/** CloudEvents `type` of a driver's registration. */
export const DRIVER_REGISTERED = "interlude.driver.registered.v1";

/**
 * Reads a stored event of a driver; `undefined`: a type or version this process does not know.
 * @throws ZodError when the data is not what its type promises.
 */
export function parseDriverRegistered(ceType: string, data: unknown): DriverRegisteredData | undefined {
  return ceType === DRIVER_REGISTERED ? DriverRegisteredData.parse(data) : undefined;
}
