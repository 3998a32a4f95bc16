import { InterludeError } from "../errors.ts";
import { freshId } from "../ask/fresh-id.ts";
import { HOLD_SECONDS } from "../ask/await-end.ts";
import { retryAfterMs } from "../http/persistent.ts";
import { pause, scope } from "../http/pause.ts";
import { isSuccess, problemOf } from "../http/problem.ts";
import { exchange, type Session } from "../session.ts";
import { claimOf } from "./claim.ts";
import type { Held } from "./work-claim.ts";

const TROUBLE_MS = 2_000;
/** A service that answers "nothing" at once, instead of holding the request, must not be asked in a circle. */
const QUICK_MS = 500;
const LAST_LOOK_MS = 3_000;

export type ClaimLoopDeps = Readonly<{
  session: Session;
  driver: string;
  concurrency: number;
  /** Never rejects. */
  work: (held: Held) => Promise<void>;
  onTrouble: (error: unknown) => void;
}>;

export type ClaimLoop = Readonly<{
  /** Claims no more; resolves when nothing more will be taken up. */
  drain(): Promise<void>;
  /** Resolves when nothing is being worked on. Only after `drain`. */
  idle(): Promise<void>;
}>;

/** Takes claims as long as there is room for them: one request waits at the service, whatever the room. */
export function startClaimLoop(deps: ClaimLoopDeps): ClaimLoop {
  const draining = new AbortController();
  const working = new Set<Promise<void>>();

  const take = (held: Held): void => {
    const work = deps.work(held).finally(() => working.delete(work));
    working.add(work);
  };
  const loop = async (): Promise<void> => {
    const { closing } = deps.session;
    while (!draining.signal.aborted && !closing.aborted) {
      if (working.size >= deps.concurrency) {
        await Promise.race(working);
        continue;
      }
      const held = await claimOnce(deps, draining.signal);
      if (held !== undefined) take(held);
    }
  };
  const ended = loop();
  return {
    async drain() {
      draining.abort();
      await ended;
    },
    async idle() {
      while (working.size > 0) await Promise.all([...working]);
    },
  };
}

/** One claim, or nothing for now. Never rejects. */
async function claimOnce(deps: ClaimLoopDeps, draining: AbortSignal): Promise<Held | undefined> {
  const { session } = deps;
  const bounds = scope(draining, session.closing);
  const startedMs = performance.now();
  // The same key for each repetition: a claim whose response was lost is given again, not left to lapse.
  const key = freshId();
  try {
    const held = await request(deps, key, HOLD_SECONDS, { signal: bounds.signal });
    const isQuick = performance.now() - startedMs < QUICK_MS;
    if (held === undefined && isQuick) await pause(QUICK_MS, bounds.signal).catch(() => undefined);
    return held;
  } catch (error) {
    if (session.closing.aborted) return undefined;
    if (draining.aborted) await handBack(deps, key);
    if (draining.aborted) return undefined;
    deps.onTrouble(error);
    const waitMs = error instanceof NoClaims ? Math.max(error.atLeastMs, TROUBLE_MS) : TROUBLE_MS;
    await pause(waitMs, bounds.signal).catch(() => undefined);
    return undefined;
  } finally {
    bounds.release();
  }
}

/** A request that is broken off may have been granted a claim, which nobody could take up before it lapses. */
async function handBack(deps: ClaimLoopDeps, key: string): Promise<void> {
  const untilMs = Date.now() + LAST_LOOK_MS;
  try {
    const held = await request(deps, key, 0, { untilMs });
    if (held === undefined) return;
    const path = `api/claims/${encodeURIComponent(held.claim.claimId)}/fail`;
    const body = JSON.stringify({ reason: "its worker was stopped", retry: true });
    await exchange(deps.session, { method: "POST", path, body }, { untilMs });
  } catch {
    // Its lease then brings it back.
  }
}

class NoClaims extends InterludeError {
  readonly atLeastMs: number;

  constructor(refusal: InterludeError, atLeastMs: number) {
    super(refusal);
    this.atLeastMs = atLeastMs;
  }
}

async function request(
  { session, driver }: ClaimLoopDeps,
  key: string,
  holdSeconds: number,
  options: { signal?: AbortSignal; untilMs?: number },
): Promise<Held | undefined> {
  const reply = await exchange(
    session,
    {
      method: "POST",
      path: `api/drivers/${encodeURIComponent(driver)}/claims`,
      query: { wait: String(holdSeconds) },
      headers: { "idempotency-key": key },
      body: "{}",
      holdSeconds,
    },
    options,
  );
  // As late as can be: the service granted it before it answered.
  const heldSinceMs = performance.now();
  if (!isSuccess(reply)) throw new NoClaims(problemOf(reply), retryAfterMs(reply.headers));
  return reply.status === 204 ? undefined : { claim: claimOf(reply.body), heldSinceMs };
}
