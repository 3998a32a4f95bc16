import { InterludeError } from "../errors.ts";
import { scope } from "./pause.ts";

export type Body = string | Blob | Uint8Array<ArrayBuffer>;

export type HttpRequest = Readonly<{
  method: "GET" | "POST" | "DELETE";
  /** Below the base URL, each segment already encoded. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  headers?: Readonly<Record<string, string>>;
  body?: Body;
  /** How long the service was asked to hold its answer; the attempt's own patience comes on top. */
  holdSeconds?: number;
}>;

export type HttpReply = Readonly<{
  status: number;
  headers: Headers;
  requestId: string | undefined;
  /** The parsed JSON; undefined when the body was none. */
  body: unknown;
}>;

export type ApiKey = string | (() => string | Promise<string>);
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export type Origin = Readonly<{ url: string; apiKey: ApiKey; fetch: Fetch }>;

/** A connection that stays silent for longer than asked is dead even if no one has said so. */
const ATTEMPT_SECONDS = 30;

/** The network's failure, as against anything that the service said. */
export class Unreachable extends InterludeError {
  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super({ code: "unreachable", detail: `Interlude cannot be reached: ${why}`, cause });
  }
}

export function urlOf(base: string, request: Pick<HttpRequest, "path" | "query">): string {
  const url = new URL(request.path, base.endsWith("/") ? base : `${base}/`);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

export async function open(origin: Origin, request: HttpRequest, signal: AbortSignal): Promise<Response> {
  const key = typeof origin.apiKey === "string" ? origin.apiKey : await origin.apiKey();
  return origin.fetch(urlOf(origin.url, request), {
    method: request.method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(typeof request.body === "string" ? { "content-type": "application/json" } : {}),
      ...request.headers,
    },
    // A redirect would carry the request to an address that nobody configured.
    redirect: "manual",
    signal,
    ...(request.body === undefined ? {} : { body: request.body }),
  });
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

export async function replyOf(response: Response): Promise<HttpReply> {
  return {
    status: response.status,
    headers: response.headers,
    requestId: response.headers.get("x-request-id") ?? undefined,
    body: parsed(await response.text()),
  };
}

/** One attempt: an answer of whatever status, `Unreachable`, or the reason of the aborted signal. */
export async function attempt(origin: Origin, request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
  signal.throwIfAborted();
  const bounds = scope(signal);
  const seconds = (request.holdSeconds ?? 0) + ATTEMPT_SECONDS;
  const timer = setTimeout(() => {
    bounds.abort(new DOMException(`no answer within ${seconds} s`, "TimeoutError"));
  }, seconds * 1_000);
  try {
    return await replyOf(await open(origin, request, bounds.signal));
  } catch (error) {
    signal.throwIfAborted();
    throw new Unreachable(error);
  } finally {
    clearTimeout(timer);
    bounds.release();
  }
}
