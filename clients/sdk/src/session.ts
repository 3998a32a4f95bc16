import { InterludeError } from "./errors.ts";
import { persistently, type Retry } from "./http/persistent.ts";
import { scope } from "./http/pause.ts";
import { isSuccess, problemOf } from "./http/problem.ts";
import type { HttpReply, HttpRequest, Origin } from "./http/transport.ts";

const DEFAULT_PATIENCE_MS = 30_000;

export type Session = Readonly<{
  origin: Origin;
  closing: AbortSignal;
  /** How long a call goes on while the service cannot be reached; unset: a question until its own deadline. */
  patienceMs: number | undefined;
  onRetry: ((retry: Retry) => void) | undefined;
  /** Who withdraws what this session asked, where its own credential may end first: a claim's token does. */
  owner?: Session | undefined;
}>;

export function closedError(): InterludeError {
  return new InterludeError({
    code: "closed",
    detail: "The client has been closed; questions go on without it.",
  });
}

export function giveUpAtMs(session: Session, untilMs?: number): number {
  if (session.patienceMs !== undefined) return Date.now() + session.patienceMs;
  return untilMs ?? Date.now() + DEFAULT_PATIENCE_MS;
}

export type CallOptions = Readonly<{ signal?: AbortSignal | undefined; untilMs?: number | undefined }>;

/** Sends until answered for good, whatever the answer is. */
export async function exchange(
  session: Session,
  request: HttpRequest,
  options: CallOptions = {},
): Promise<HttpReply> {
  const bounds = scope(session.closing, options.signal);
  try {
    return await persistently(session.origin, request, {
      signal: bounds.signal,
      giveUpAtMs: giveUpAtMs(session, options.untilMs),
      onRetry: session.onRetry,
    });
  } catch (error) {
    // The caller's reason as it is, be it no error.
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    bounds.release();
  }
}

/** Sends until answered for good; anything but a success is thrown as its typed error. */
export async function call(
  session: Session,
  request: HttpRequest,
  options: CallOptions = {},
): Promise<HttpReply> {
  const reply = await exchange(session, request, options);
  if (!isSuccess(reply)) throw problemOf(reply);
  return reply;
}

export function interactionPath(id: string, rest = ""): string {
  return `api/interactions/${encodeURIComponent(id)}${rest}`;
}
