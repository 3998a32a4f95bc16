import { InterludeError, invalid } from "../errors.ts";
import { call, type Session } from "../session.ts";
import type { SuspendedRun } from "../suspended.ts";
import { createActiveWork } from "./active-work.ts";
import { checkCheckpointer } from "./checkpointer.ts";
import { startClaimLoop } from "./claim-loop.ts";
import type { Driver, DriverOptions, Run } from "./driver.ts";
import { receive } from "./receive.ts";
import { openRunScope } from "./run-scope.ts";
import { verifyContinuation } from "./verify-continuation.ts";
import { workClaim } from "./work-claim.ts";

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_GRACE_SECONDS = 25;

/** Registers the driver and, where it has a handler, begins to claim. */
export async function startDriver(session: Session, options: DriverOptions): Promise<Driver> {
  checkCheckpointer(options.checkpointer);
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  if (!Number.isInteger(concurrency) || concurrency < 1) throw invalid("concurrency", "must be 1 or more");
  await register(session, options);

  const stopping = new AbortController();
  const abandoned = new AbortController();
  const active = createActiveWork(abandoned.signal, session.closing);
  const loop = takesClaims(options)
    ? startClaimLoop({
        session,
        driver: options.name,
        concurrency,
        work: (held) => workClaim({ session, options, abandoned: abandoned.signal }, held),
        onTrouble: (error) => options.onError?.(error, {}),
      })
    : undefined;
  const stop = async (graceSeconds: number): Promise<void> => {
    stopping.abort();
    const timer = setTimeout(() => {
      abandoned.abort(stoppedError());
    }, graceSeconds * 1_000);
    await loop?.drain();
    await Promise.all([loop?.idle(), active.idle()]);
    clearTimeout(timer);
  };
  let stopped: Promise<void> | undefined;
  return {
    name: options.name,
    run: async (runId, work, given) => {
      if (stopping.signal.aborted) throw stoppedError();
      return active.begin(given?.signal, (signal) => runOnce(session, options, runId, work, signal));
    },
    receive: async ({ rawBody, signature, secret, signal: given }) => {
      const claim = await verifyContinuation(secret, rawBody, signature);
      if (stopping.signal.aborted) throw stoppedError();
      return active.begin(given, (signal) => receive(session, options, claim, signal));
    },
    stop: (given) => (stopped ??= stop(given?.graceSeconds ?? DEFAULT_GRACE_SECONDS)),
  };
}

function takesClaims({ resume, turn, deliver }: DriverOptions): boolean {
  return (resume !== undefined || turn !== undefined) && deliver === undefined;
}

async function runOnce<T>(
  session: Session,
  { name, checkpointer: { retentionSeconds } }: DriverOptions,
  runId: string,
  work: (run: Run) => T | Promise<T>,
  signal: AbortSignal,
): Promise<SuspendedRun | T> {
  const scope = openRunScope({ session, owner: session, driver: name, runId, retentionSeconds, signal });
  const value = await work(scope.run);
  return (await scope.end()) ?? value;
}

async function register(session: Session, { name, checkpointer, deliver }: DriverOptions): Promise<void> {
  const { kind, retentionSeconds } = checkpointer;
  const body = {
    name,
    checkpointer: {
      kind,
      ...(retentionSeconds === undefined ? {} : { retention_seconds: retentionSeconds }),
    },
    ...(deliver === undefined ? {} : { deliver: { url: deliver.url, secret_ref: deliver.secretRef } }),
  };
  await call(session, { method: "POST", path: "api/drivers", body: JSON.stringify(body) });
}

function stoppedError(): InterludeError {
  return new InterludeError({ code: "closed", detail: "The driver has been stopped." });
}
