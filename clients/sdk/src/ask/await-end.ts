import {
  InteractionCancelledError,
  InteractionExpiredError,
  InteractionFailedError,
  InterludeError,
} from "../errors.ts";
import { codeOf, isSuccess, problemOf } from "../http/problem.ts";
import type { HttpReply } from "../http/transport.ts";
import { isObject } from "../json.ts";
import { exchange, interactionPath, type Session } from "../session.ts";
import { unexpected } from "../wire/fields.ts";
import { type AnsweredResult, type Result, resultOf } from "../wire/result.ts";

/** Below the minute after which many proxies give a silent connection up. */
export const HOLD_SECONDS = 55;
/** Sending over a channel is waited for first, and its wait is the service's. */
export const DELIVERY_SECONDS = 60;
const AFTER_DELIVERY_SECONDS = 30;
const DEFAULT_TIMEOUT_SECONDS = 3_600;
/** After the deadline the service still has to say how the question ended. */
const GRACE_MS = 30_000;

export type PreparedAsk = Readonly<{
  id: string;
  /** The whole body as text, the id included. */
  body: string;
  overChannel: boolean;
  timeoutSeconds: number | undefined;
}>;

/** How an ended question ends its ask. */
export function endOf(result: Exclude<Result, { status: "pending" }>): AnsweredResult {
  switch (result.status) {
    case "answered":
      return result;
    case "expired":
      throw new InteractionExpiredError(result.interactionId);
    case "cancelled":
      throw new InteractionCancelledError(result.interactionId, result.reason);
    case "failed":
      throw new InteractionFailedError(result.interactionId, result.reason);
  }
}

function reasonIn(reply: HttpReply): string | undefined {
  const detail = isObject(reply.body) ? reply.body["detail"] : undefined;
  return typeof detail === "string" ? detail : undefined;
}

/** Undefined while the question is open, or where the reply tells its state but not its answer. */
function resultIn(reply: HttpReply, id: string): Result | undefined {
  if (!isObject(reply.body)) throw unexpected("no JSON object", reply.requestId);
  if (reply.body["status"] === "answered" && !("answer" in reply.body)) return undefined;
  return resultOf(reply.body, id);
}

async function post(
  session: Session,
  ask: PreparedAsk,
  signal: AbortSignal,
  untilMs: number,
): Promise<HttpReply> {
  const prefer = ask.overChannel ? `delivered, wait=${AFTER_DELIVERY_SECONDS}` : `wait=${HOLD_SECONDS}`;
  return exchange(
    session,
    {
      method: "POST",
      path: "api/interactions",
      headers: { prefer },
      body: ask.body,
      holdSeconds: ask.overChannel ? DELIVERY_SECONDS + AFTER_DELIVERY_SECONDS : HOLD_SECONDS,
    },
    { signal, untilMs },
  );
}

async function poll(session: Session, id: string, signal: AbortSignal, untilMs: number): Promise<Result> {
  const reply = await exchange(
    session,
    {
      method: "GET",
      path: interactionPath(id, "/result"),
      query: { wait: String(HOLD_SECONDS) },
      holdSeconds: HOLD_SECONDS,
    },
    { signal, untilMs },
  );
  if (!isSuccess(reply)) throw problemOf(reply, id);
  return resultOf(reply.body, id);
}

/** The service's deadline on this machine's clock: only durations are taken from it, since clocks differ. */
function deadlineMs(reply: HttpReply, fallbackMs: number): number {
  const { created_at: created, timeout_at: ends } = isObject(reply.body) ? reply.body : {};
  const lifeMs = Date.parse(String(ends)) - Date.parse(String(created));
  return Number.isNaN(lifeMs) ? fallbackMs : Date.now() + lifeMs + GRACE_MS;
}

/** Losing sight of a question is not its end: the error carries the id, under which its answer is still there. */
function lostSight(error: unknown, id: string): unknown {
  if (!(error instanceof InterludeError) || error.interactionId !== undefined) return error;
  const { code, status, requestId, problem, cause } = error;
  const isOpen = code === "unreachable" || status >= 500;
  const detail = isOpen
    ? `${error.detail}; how question ${id} ended is not known, ask again with this id to learn it`
    : error.detail;
  return new InterludeError({
    code,
    status,
    detail,
    errors: error.errors,
    requestId,
    problem,
    cause,
    interactionId: id,
  });
}

/**
 * Asks and waits until the question has ended. The asking request is repeated under the question's id until it is
 * answered, and so is every wait: an answer whose response was lost is read again, never asked for again.
 */
export async function askUntilEnded(
  session: Session,
  ask: PreparedAsk,
  signal: AbortSignal,
): Promise<AnsweredResult> {
  let untilMs = Date.now() + (ask.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000 + GRACE_MS;
  try {
    const posted = await post(session, ask, signal, untilMs);
    if (codeOf(posted) === "delivery_failed") throw new InteractionFailedError(ask.id, reasonIn(posted));
    if (!isSuccess(posted)) throw problemOf(posted, ask.id);
    untilMs = deadlineMs(posted, untilMs);
    let result = resultIn(posted, ask.id);
    while (result === undefined || result.status === "pending") {
      result = await poll(session, ask.id, signal, untilMs);
    }
    return endOf(result);
  } catch (error) {
    throw lostSight(error, ask.id);
  }
}
