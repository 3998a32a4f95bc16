import type { InterludeError } from "../errors.ts";
import { pause } from "./pause.ts";
import { codeOf, problemOf } from "./problem.ts";
import { attempt, type HttpReply, type HttpRequest, type Origin, Unreachable } from "./transport.ts";

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
/** What fails inside the service for that long fails for a reason that repetition does not mend. */
const DEFECT_PATIENCE_MS = 30_000;

export type Retry = Readonly<{ attempt: number; delayMs: number; error: InterludeError }>;

export type Patience = Readonly<{
  signal: AbortSignal;
  /** No attempt begins after this moment (of `Date.now`). */
  giveUpAtMs: number;
  onRetry?: ((retry: Retry) => void) | undefined;
}>;

/** Full delays would bring every client of a restarted server back in the same instant. */
function backoffMs(attempts: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
}

export function retryAfterMs(headers: Headers): number {
  const value = headers.get("retry-after");
  if (value === null) return 0;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

/**
 * Whether the same request may well be answered otherwise in a moment. A cap that is reached is a refusal that its
 * asker wants to know of, not a congestion to sit out; a delivery that failed has ended its question.
 */
export function isTransient(request: HttpRequest, reply: HttpReply): boolean {
  const { status } = reply;
  if (status === 429) return codeOf(reply) !== "limit_reached" || request.method === "GET";
  if (status === 408 || status === 503 || status === 504) return true;
  if (status === 502) return codeOf(reply) !== "delivery_failed";
  return status >= 500;
}

type Attempted = { done: true; reply: HttpReply } | { done: false; error: InterludeError; atLeastMs: number };

async function once(origin: Origin, request: HttpRequest, signal: AbortSignal): Promise<Attempted> {
  try {
    const reply = await attempt(origin, request, signal);
    if (!isTransient(request, reply)) return { done: true, reply };
    return { done: false, error: problemOf(reply), atLeastMs: retryAfterMs(reply.headers) };
  } catch (error) {
    if (error instanceof Unreachable) return { done: false, error, atLeastMs: 0 };
    throw error;
  }
}

/**
 * Repeats the very same request until the service has answered it for good. Only for requests that say the same
 * when they come twice: reads, and writes that carry their id or an idempotency key.
 */
export async function persistently(
  origin: Origin,
  request: HttpRequest,
  patience: Patience,
): Promise<HttpReply> {
  let defectSinceMs = Number.POSITIVE_INFINITY;
  for (let attempts = 1; ; attempts += 1) {
    const tried = await once(origin, request, patience.signal);
    if (tried.done) return tried.reply;
    defectSinceMs =
      tried.error.status === 500 ? Math.min(defectSinceMs, Date.now()) : Number.POSITIVE_INFINITY;
    const delayMs = Math.max(backoffMs(attempts), tried.atLeastMs);
    if (Date.now() + delayMs > Math.min(patience.giveUpAtMs, defectSinceMs + DEFECT_PATIENCE_MS))
      throw tried.error;
    patience.onRetry?.({ attempt: attempts, delayMs, error: tried.error });
    await pause(delayMs, patience.signal);
  }
}
