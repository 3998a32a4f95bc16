import { InterludeError, LeaseLostError } from "../errors.ts";
import { pause, scope } from "../http/pause.ts";
import { isSuccess, problemOf } from "../http/problem.ts";
import { attempt } from "../http/transport.ts";
import type { Session } from "../session.ts";

/** The right to go on with a run, kept alive by heartbeats. */
export type Lease = Readonly<{
  /** Aborted with a `LeaseLostError` once nobody can promise any more that the run is ours. */
  signal: AbortSignal;
  /** No more heartbeats: the claim is over. */
  release(): void;
}>;

export type Held = Readonly<{ claimId: string; leaseSeconds: number; heldSinceMs: number }>;

const RETRY_SHARE = 12;

/**
 * Renews a lease at a third of its length. What counts is the monotonic clock of this machine, from the moment at
 * which the last heartbeat that succeeded was sent: the service renewed later than that, so that this end never
 * believes in the lease for longer than the other.
 */
export function holdLease(session: Session, held: Held): Lease {
  const leaseMs = held.leaseSeconds * 1_000;
  const lost = new AbortController();
  const released = new AbortController();
  let untilMs = held.heldSinceMs + leaseMs;
  let lastTrouble: unknown;
  const lose = (cause: unknown): void => {
    if (!released.signal.aborted) lost.abort(new LeaseLostError(cause));
    released.abort();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      lose(lastTrouble);
    }, untilMs - performance.now());
  };

  const keep = async (): Promise<void> => {
    await pause(leaseMs / 3, released.signal);
    for (;;) {
      const sentMs = performance.now();
      if (sentMs >= untilMs) break;
      lastTrouble = await beat(
        session,
        held.claimId,
        Math.min(leaseMs / 3, untilMs - sentMs),
        released.signal,
      );
      if (lastTrouble === undefined) {
        untilMs = sentMs + leaseMs;
        watch();
      } else if (isFinal(lastTrouble)) break;
      await pause(lastTrouble === undefined ? leaseMs / 3 : leaseMs / RETRY_SHARE, released.signal);
    }
    lose(lastTrouble);
  };

  watch();
  // Ends by rejecting when it is released, which is how it is meant to end.
  keep().catch(() => undefined);
  return {
    signal: lost.signal,
    release() {
      clearTimeout(timer);
      released.abort();
    },
  };
}

/** What went wrong, or nothing. */
async function beat(
  session: Session,
  claimId: string,
  withinMs: number,
  released: AbortSignal,
): Promise<unknown> {
  const bounds = scope(released, session.closing);
  const timer = setTimeout(() => {
    bounds.abort(new DOMException("no answer to a heartbeat", "TimeoutError"));
  }, withinMs);
  try {
    const path = `api/claims/${encodeURIComponent(claimId)}/heartbeat`;
    const reply = await attempt(session.origin, { method: "POST", path, body: "{}" }, bounds.signal);
    return isSuccess(reply) ? undefined : problemOf(reply);
  } catch (error) {
    return error;
  } finally {
    clearTimeout(timer);
    bounds.release();
  }
}

/** The service has said that the claim is not ours; anything else may pass before the lease runs out. */
function isFinal(error: unknown): boolean {
  return error instanceof InterludeError && (error.code === "lease_lost" || error.code === "not_found");
}
