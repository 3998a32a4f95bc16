import { abortAfter } from "@interlude/kernel";
import { STOPPED } from "./call-provider.ts";
import { retryAfterMs } from "./retry-after.ts";
import type { SendOutcome } from "./send-outcome.ts";
import { statusOutcome } from "./status-outcome.ts";

/** What decides without a body, as an answer's status; thrown through a provider's own client, which would lose it. */
export class AnswerFault extends Error {
  override readonly name = "AnswerFault";
  readonly outcome: SendOutcome;

  constructor(message: string, outcome: SendOutcome) {
    super(message);
    this.outcome = outcome;
  }
}

type ProviderInit = Readonly<{ method?: string; headers?: Record<string, string>; body?: unknown }>;

/**
 * What a provider's own client calls in place of `fetch`: once, bounded in time, without redirects.
 * `readsLimits`: the client reads what an answer of 429 says.
 */
export function providerFetch(options: { timeoutMs: number; signal: AbortSignal; readsLimits: boolean }) {
  return async (url: string | URL, init: ProviderInit = {}): Promise<Response> => {
    const { method = "POST", headers = {}, body } = init;
    if (options.signal.aborted) throw new AnswerFault("stopped", STOPPED);
    const response = await fetch(url, {
      method,
      headers,
      ...(typeof body === "string" ? { body } : {}),
      redirect: "manual",
      signal: abortAfter(options.timeoutMs, options.signal),
    });
    const wait = retryAfterMs(response.headers.get("retry-after"), Date.now());
    const status = { status: response.status, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
    const outcome = statusOutcome(status);
    if (outcome === undefined || (options.readsLimits && outcome.kind === "rate_limited")) return response;
    throw new AnswerFault(`http ${response.status}`, outcome);
  };
}
