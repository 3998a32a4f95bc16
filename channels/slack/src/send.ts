import {
  AnswerFault,
  brokenOutcome,
  providerFetch,
  type ProviderRequest,
  RETRY_AFTER_DEFAULT_MS,
  type SendOutcome,
  toldReason,
} from "@interlude/channel-kit";
import {
  type Logger,
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRequestError,
  WebClient,
} from "@slack/web-api";
import { z } from "zod";
import type { SlackConfig } from "./config.ts";

export type SlackSend = Readonly<{ config: SlackConfig; timeoutMs: number }>;

const Posted = z.object({ ts: z.string().min(1), channel: z.string().min(1).optional() });
const Ephemeral = z.object({ message_ts: z.string().min(1) });
const Opened = z.object({ view: z.object({ id: z.string().min(1) }) });

/** Slack's own faults, after which the message may be there. */
const UNKNOWN: ReadonlySet<string> = new Set([
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
]);
/** docs.slack.dev/reference/methods/chat.postMessage: no to the token, whatever it is used for. */
const NO_TO_US: ReadonlySet<string> = new Set([
  "account_inactive",
  "invalid_auth",
  "missing_scope",
  "no_permission",
  "not_authed",
  "token_expired",
  "token_revoked",
]);
const LATER: ReadonlySet<string> = new Set(["ratelimited", "rate_limited", "message_limit_exceeded"]);

const nothing = (): void => undefined;
/** The client logs what it sends; what is worth telling is in the outcome. */
const SILENT: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};

/** One client a call, since only its fetch can be stopped; without the retries that it has by default. */
function clientFor(signal: AbortSignal, { config, timeoutMs }: SlackSend): WebClient {
  return new WebClient(config.botToken, {
    slackApiUrl: config.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: SILENT,
    fetch: providerFetch({ timeoutMs, signal, readsLimits: false }),
  });
}

function sentOutcome(result: unknown): SendOutcome {
  const posted = Posted.safeParse(result);
  if (posted.success) {
    const { ts, channel } = posted.data;
    return { kind: "sent", messageId: ts, ...(channel === undefined ? {} : { address: channel }) };
  }
  const other = Ephemeral.safeParse(result).data?.message_ts ?? Opened.safeParse(result).data?.view.id;
  if (other !== undefined) return { kind: "sent", messageId: other };
  return { kind: "unknown", reason: "an answer without a message id" };
}

/** A code, unless what came was no answer of Slack's: the client takes a page for one. */
function refusedOutcome({ data }: WebAPIPlatformError, { config }: SlackSend): SendOutcome {
  const code = data.error;
  if (!/^[a-z][a-z0-9_]*$/.test(code)) return { kind: "unknown", reason: "an answer that is no JSON" };
  if (UNKNOWN.has(code)) return { kind: "unknown", reason: `error ${code}` };
  if (LATER.has(code)) {
    return { kind: "rate_limited", retryAfterMs: RETRY_AFTER_DEFAULT_MS, scope: "channel" };
  }
  const details = data.response_metadata?.messages ?? [];
  const reason = toldReason([code, ...details].join(" "), [config.botToken]);
  return { kind: "rejected", code, reason, ...(NO_TO_US.has(code) ? { refusesUs: true } : {}) };
}

function failedOutcome(error: unknown, sending: SlackSend): SendOutcome {
  if (error instanceof WebAPIPlatformError) return refusedOutcome(error, sending);
  // The statuses after which a message may be there do not come as far as this.
  if (error instanceof WebAPIHTTPError) return { kind: "rejected", reason: `http ${error.statusCode}` };
  const inner = error instanceof WebAPIRequestError ? error.original : error;
  if (inner instanceof AnswerFault) return inner.outcome;
  return brokenOutcome(inner);
}

/** One attempt. Slack knows no key that would make a second one safe. */
export async function sendSlack(
  { method, body }: ProviderRequest,
  signal: AbortSignal,
  sending: SlackSend,
): Promise<SendOutcome> {
  try {
    return sentOutcome(await clientFor(signal, sending).apiCall(method, body));
  } catch (error) {
    return failedOutcome(error, sending);
  }
}
