/**
 * Stands for an answer that will come later, in another process perhaps. An async ask gives one for its question
 * at once; a run that has parked ends with one for all of its questions, a `SuspendedRun`.
 */
export class Suspended {
  readonly status = "suspended";
  /** Of several questions, the first by id. */
  readonly interactionId: string;
  /** The earliest deadline of its questions. */
  readonly expiryAt: string;

  constructor(interactionId: string, expiryAt: string) {
    this.interactionId = interactionId;
    this.expiryAt = expiryAt;
  }
}

/** The receipt of a park: the run goes on by its driver once all of these questions have ended. */
export class SuspendedRun extends Suspended {
  /** Sorted. */
  readonly interactionIds: readonly string[];
  readonly runId: string;
  readonly parkId: string;

  constructor(park: { interactionIds: readonly string[]; expiryAt: string; runId: string; parkId: string }) {
    const sorted = [...park.interactionIds].sort();
    super(sorted[0] ?? "", park.expiryAt);
    this.interactionIds = sorted;
    this.runId = park.runId;
    this.parkId = park.parkId;
  }
}
