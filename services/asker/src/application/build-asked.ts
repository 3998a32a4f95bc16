import { type Ask, type AskedData, formatInstant, type RunName } from "@interlude/contract";

/** What the asker adds to a body to make it an event. */
export type AskedParts = {
  id: string;
  asker: string;
  askerGroups: readonly string[];
  groupId: string;
  /** The run that asks, where a run does. */
  askedIn: RunName | undefined;
  nowMs: number;
  deadlineMs: number;
  fingerprint: string;
  /** For questions that a callback can answer. */
  ticket: { kid: string; nonce: string } | undefined;
  /** The link with its callback URL cut out. */
  storedLink: string | undefined;
  /** Media as stored: inline images replaced by their references. */
  media: AskedData["media"];
  /** Where a channel's question goes. */
  destination: { recipient: string; address: string } | undefined;
};

/** The moment a question ends by itself, in milliseconds of the log's clock. */
export function deadlineOf(
  ask: Ask,
  nowMs: number,
  defaultTimeoutSeconds: number,
  instant: (text: string) => number,
): number {
  if (ask.mode === "async") return instant(ask.expiry_at);
  return Math.trunc(nowMs + (ask.timeout_seconds ?? defaultTimeoutSeconds) * 1_000);
}

export function buildAsked(ask: Ask, parts: AskedParts): AskedData {
  const timeoutAt = formatInstant(parts.deadlineMs);
  return {
    interaction_id: parts.id,
    asker: parts.asker,
    ...(parts.askerGroups.length === 0 ? {} : { asker_groups: [...parts.askerGroups] }),
    group_id: parts.groupId,
    question: ask.question,
    answer_format: ask.answer_format,
    format_payload: formatPayload(ask),
    mode: ask.mode,
    created_at: formatInstant(parts.nowMs),
    timeout_at: timeoutAt,
    ...runOf(ask, timeoutAt, parts.askedIn),
    ...(parts.ticket === undefined ? {} : { ticket: parts.ticket }),
    ...(parts.storedLink === undefined ? {} : { link: parts.storedLink }),
    ...(ask.answer_format === "external" && ask.verifier !== undefined
      ? { verifier: { ...ask.verifier } }
      : {}),
    ...delivery(ask, parts.destination),
    ...(ask.audience === undefined ? {} : { audience: ask.audience }),
    ...(parts.media === undefined ? {} : { media: parts.media }),
    sensitive: ask.sensitive,
    ...(ask.metadata === undefined ? {} : { metadata: { ...ask.metadata } }),
    fingerprint: parts.fingerprint,
  };
}

function runOf(ask: Ask, timeoutAt: string, askedIn: RunName | undefined) {
  if (ask.mode === "async") return { expiry_at: timeoutAt, run: ask.run };
  return askedIn === undefined ? {} : { asked_in: askedIn };
}

function formatPayload(ask: Ask): AskedData["format_payload"] {
  switch (ask.answer_format) {
    case "text":
      return ask.options === undefined ? {} : { options: [...ask.options] };
    case "confirm":
      return {};
    case "select":
      return { options: [...ask.options] };
    case "form":
      return {
        schema: ask.schema,
        ...(ask.data === undefined ? {} : { data: ask.data }),
        ...(ask.pages === undefined
          ? {}
          : { pages: ask.pages.map((page) => ({ ...page, properties: [...page.properties] })) }),
      };
    case "external":
      return ask.schema === undefined ? {} : { schema: ask.schema };
  }
}

function delivery(ask: Ask, destination: AskedParts["destination"]) {
  if (ask.channel === undefined) return {};
  return {
    channel: ask.channel,
    ...destination,
    on_mismatch: ask.on_mismatch,
    ...(ask.mismatch_notice === undefined ? {} : { mismatch_notice: ask.mismatch_notice }),
  };
}
