/** One fault of a refused request; `path` is a JSON Pointer into the body, or a parameter's name. */
export type Fault = Readonly<{ path: string; message: string }>;

export type ErrorFacts = Readonly<{
  /**
   * The service's code (`validation_failed`, `unauthenticated`, `idempotency_conflict`, …) or one of the client's
   * own: `unreachable`, `unexpected_response`, `invalid_answer`, `closed`.
   */
  code: string;
  detail: string;
  /** The HTTP status; 0 when no answer of the service stands behind the error. */
  status?: number;
  errors?: readonly Fault[];
  requestId?: string | undefined;
  interactionId?: string | undefined;
  /** The whole problem document, for members beyond the standard ones (`answered_by` of a 409, say). */
  problem?: Readonly<Record<string, unknown>> | undefined;
  cause?: unknown;
}>;

function messageOf(facts: ErrorFacts): string {
  const faults = (facts.errors ?? []).map((fault) => `${fault.path}: ${fault.message}`);
  return faults.length === 0 ? facts.detail : `${facts.detail} (${faults.join("; ")})`;
}

/** Everything that this package throws, but an aborted signal's own reason. */
export class InterludeError extends Error {
  override readonly name: string = "InterludeError";
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly Fault[];
  readonly requestId: string | undefined;
  readonly interactionId: string | undefined;
  readonly problem: Readonly<Record<string, unknown>> | undefined;

  constructor(facts: ErrorFacts) {
    super(messageOf(facts), facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? 0;
    this.detail = facts.detail;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId;
    this.interactionId = facts.interactionId;
    this.problem = facts.problem;
  }
}

/** Nobody answered in time. Never a "no": a refusal is an answer. */
export class InteractionExpiredError extends InterludeError {
  override readonly name = "InteractionExpiredError";

  constructor(interactionId: string) {
    super({ code: "expired", detail: "Nobody answered before the deadline.", interactionId });
  }
}

export class InteractionCancelledError extends InterludeError {
  override readonly name = "InteractionCancelledError";
  readonly reason: string | undefined;

  constructor(interactionId: string, reason: string | undefined) {
    super({
      code: "cancelled",
      detail: reason === undefined ? "The question was cancelled." : `The question was cancelled: ${reason}`,
      interactionId,
    });
    this.reason = reason;
  }
}

/** The question could not be put to anybody: its channel finally refused it. */
export class InteractionFailedError extends InterludeError {
  override readonly name = "InteractionFailedError";
  readonly reason: string | undefined;

  constructor(interactionId: string, reason: string | undefined) {
    super({
      code: "failed",
      detail:
        reason === undefined ? "The question could not be delivered." : `The question failed: ${reason}`,
      interactionId,
    });
    this.reason = reason;
  }
}

/** Why the signal of a resume is aborted: another worker may already be going on with the run. */
export class LeaseLostError extends InterludeError {
  override readonly name = "LeaseLostError";

  constructor(cause?: unknown) {
    super({
      code: "lease_lost",
      detail: "The lease of this claim has run out; it is no longer ours.",
      cause,
    });
  }
}

/** To be thrown by a handler: the run has failed and no repetition mends it. It stays listed and replayable. */
export class RunFailedError extends InterludeError {
  override readonly name = "RunFailedError";

  constructor(reason: string, cause?: unknown) {
    super({ code: "run_failed", detail: reason, cause });
  }
}

/** What this client refuses by itself, in the same shape as the service's own refusals. */
export function invalid(path: string, message: string, cause?: unknown): InterludeError {
  return new InterludeError({
    code: "validation_failed",
    detail: "The request is not valid",
    errors: [{ path, message }],
    cause,
  });
}
