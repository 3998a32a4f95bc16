import { InterludeError, invalid } from "../errors.ts";
import { scope as signalScope } from "../http/pause.ts";
import { call, type Session } from "../session.ts";
import type { SuspendedRun } from "../suspended.ts";
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
  const { name, checkpointer } = options;
  const hasHandler = options.resume !== undefined || options.turn !== undefined;
  const takesClaims = hasHandler && options.deliver === undefined;
  const loop = takesClaims
    ? startClaimLoop({
        session,
        driver: name,
        concurrency,
        work: (held) => workClaim({ session, options, abandoned: abandoned.signal }, held),
        onTrouble: (error) => options.onError?.(error, {}),
      })
    : undefined;
  let stopped: Promise<void> | undefined;

  const run = async <T>(
    runId: string,
    work: (run: Run) => T | Promise<T>,
    given: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<SuspendedRun | T> => {
    if (stopping.signal.aborted) throw stoppedError();
    const bounds = signalScope(given.signal, abandoned.signal, session.closing);
    try {
      const { signal } = bounds;
      const { retentionSeconds } = checkpointer;
      const scope = openRunScope({ session, owner: session, driver: name, runId, retentionSeconds, signal });
      const value = await work(scope.run);
      return (await scope.end()) ?? value;
    } finally {
      bounds.release();
    }
  };
  const stop = async (graceSeconds: number): Promise<void> => {
    stopping.abort(stoppedError());
    if (loop === undefined) {
      abandoned.abort(stoppedError());
      return;
    }
    const timer = setTimeout(() => {
      abandoned.abort(stoppedError());
    }, graceSeconds * 1_000);
    await loop.drain();
    await loop.idle();
    clearTimeout(timer);
  };
  return {
    name,
    run,
    receive: async ({ rawBody, signature, secret, signal }) => {
      const claim = await verifyContinuation(secret, rawBody, signature);
      if (stopping.signal.aborted) throw stoppedError();
      const bounds = signalScope(signal, abandoned.signal, session.closing);
      try {
        return await receive(session, options, claim, bounds.signal);
      } finally {
        bounds.release();
      }
    },
    stop: (given) => (stopped ??= stop(given?.graceSeconds ?? DEFAULT_GRACE_SECONDS)),
  };
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
