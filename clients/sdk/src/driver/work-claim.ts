import { InterludeError, RunFailedError } from "../errors.ts";
import { isJson, type Json } from "../json.ts";
import { reasonOf as reasonOfAbort, scope as signalScope } from "../http/pause.ts";
import { call, type Session } from "../session.ts";
import { type Claim, runOf } from "./claim.ts";
import type { DriverOptions } from "./driver.ts";
import { holdLease } from "./lease.ts";
import { readResolutions } from "./read-resolutions.ts";
import { openRunScope, type RunScope } from "./run-scope.ts";

const MAX_REASON = 1_000;

export type Held = Readonly<{ claim: Claim; heldSinceMs: number }>;

export type WorkDeps = Readonly<{
  session: Session;
  options: DriverOptions;
  /** Aborted when the driver gives up what it holds. */
  abandoned: AbortSignal;
}>;

type Outcome =
  | { type: "complete"; body: { result?: Json; parked?: true } }
  | { type: "fail"; reason: string; retry: boolean };

/** Works on one claim to its end, whatever that is. Never rejects. */
export async function workClaim(deps: WorkDeps, { claim, heldSinceMs }: Held): Promise<void> {
  const { session, options } = deps;
  const { claimId, leaseSeconds } = claim;
  const lease = holdLease(session, { claimId, leaseSeconds, heldSinceMs });
  const bounds = signalScope(lease.signal, deps.abandoned, session.closing);
  const about = { runId: runOf(claim), claimId };
  try {
    const outcome = await race(drive(deps, claim, bounds.signal, about), deps.abandoned, lease.signal);
    // After a loss the claim is somebody else's: whatever was said about it now would be refused.
    lease.signal.throwIfAborted();
    await tell(session, claimId, outcome, lease.signal);
  } catch (error) {
    options.onError?.(error, about);
  } finally {
    bounds.release();
    lease.release();
  }
}

/** A handler that ignores its signal must not keep the process from handing back what it holds. */
async function race(work: Promise<Outcome>, abandoned: AbortSignal, lost: AbortSignal): Promise<Outcome> {
  const stopped = signalScope(abandoned);
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      const giveUp = (): void => {
        if (lost.aborted) reject(reasonOfAbort(lost));
        else resolve({ type: "fail", reason: "its worker was stopped", retry: true });
      };
      if (stopped.signal.aborted) giveUp();
      else stopped.signal.addEventListener("abort", giveUp, { once: true });
      work.then(resolve, reject);
    });
  } finally {
    stopped.release();
  }
}

/** Runs the handler, and parks the run when it has asked again. Never rejects. */
export async function drive(
  { session, options }: Pick<WorkDeps, "session" | "options">,
  claim: Claim,
  signal: AbortSignal,
  about: { runId: string; claimId: string },
): Promise<Outcome> {
  const scope = openRunScope(
    {
      session: { ...session, origin: { ...session.origin, apiKey: claim.token }, owner: session },
      owner: session,
      driver: options.name,
      runId: about.runId,
      retentionSeconds: options.checkpointer.retentionSeconds,
      signal,
    },
    claim.kind === "turn" ? claim.turn.turnId : claim.continuation.parkId,
  );
  try {
    const { result, ownIds } = await handle(session, options, claim, scope, signal);
    const parked = await scope.end((ids) => {
      refuseSameSet(ids, ownIds);
    });
    return parked === undefined ? completion(result) : { type: "complete", body: { parked: true } };
  } catch (error) {
    options.onError?.(error, about);
    return { type: "fail", reason: reasonOf(error), retry: !(error instanceof RunFailedError) };
  }
}

async function handle(
  session: Session,
  { resume, turn: answer }: DriverOptions,
  claim: Claim,
  { run }: RunScope,
  signal: AbortSignal,
): Promise<{ result: unknown; ownIds: readonly string[] }> {
  const { fencing } = claim;
  if (claim.kind === "turn") {
    if (answer === undefined) throw handlesNo("messages");
    const { turn } = claim;
    return { result: await answer({ turn, runId: turn.runId, fencing, signal }, run), ownIds: [] };
  }
  if (resume === undefined) throw handlesNo("resumes");
  const { runId, parkId, identity } = claim.continuation;
  const resolutions = await readResolutions(session, claim.continuation, signal);
  const ownIds = resolutions.map(({ interactionId }) => interactionId);
  return {
    result: await resume({ runId, parkId, identity, resolutions, fencing, signal }, run),
    ownIds,
  };
}

function handlesNo(what: string): InterludeError {
  return new InterludeError({ code: "unsupported", detail: `This worker handles no ${what}; another may.` });
}

/** A park of the very same questions is the one that is being resumed: nothing would ever resume it again. */
function refuseSameSet(ids: readonly string[], ownIds: readonly string[]): void {
  const own = new Set(ownIds);
  if (ids.length !== own.size || !ids.every((id) => own.has(id))) return;
  throw new RunFailedError(
    "The resume asked exactly the questions that it was given the answers of; a new question needs a key or id of its own",
  );
}

function completion(result: unknown): Outcome {
  if (result === undefined) return { type: "complete", body: {} };
  if (isJson(result)) return { type: "complete", body: { result } };
  throw new RunFailedError("The handler returned what JSON cannot carry");
}

/** As the service takes it: well-formed, not empty, and no longer than it may be. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const clean = said.toWellFormed().replaceAll("\0", "").trim();
  return clean === ""
    ? "the handler failed without a reason"
    : Array.from(clean).slice(0, MAX_REASON).join("");
}

/** Repeated until it has arrived or the lease is over. A result that is refused for what it is fails the claim. */
async function tell(session: Session, claimId: string, outcome: Outcome, lost: AbortSignal): Promise<void> {
  const send = (verb: string, body: object): Promise<unknown> =>
    call(
      session,
      {
        method: "POST",
        path: `api/claims/${encodeURIComponent(claimId)}/${verb}`,
        body: JSON.stringify(body),
      },
      // The end of the lease is the end of the attempts, whenever that is.
      { signal: lost, untilMs: Number.POSITIVE_INFINITY },
    );
  if (outcome.type === "fail") {
    await send("fail", { reason: outcome.reason, retry: outcome.retry });
    return;
  }
  try {
    await send("complete", outcome.body);
  } catch (error) {
    const isRefused = error instanceof InterludeError && (error.status === 400 || error.status === 413);
    if (!isRefused) throw error;
    await send("fail", {
      reason: `its result was refused: ${reasonOf(error)}`.slice(0, MAX_REASON),
      retry: false,
    });
    throw error;
  }
}
