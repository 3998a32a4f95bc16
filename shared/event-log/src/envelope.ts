import { randomUUID } from "node:crypto";
import { interactionCeType, type InteractionEvent } from "@interlude/contract";
import { headers, type MsgHdrs } from "@nats-io/nats-core";

/** W3C trace context of the request that caused an event. */
export type TraceContext = { traceparent: string; tracestate?: string };

const SOURCE_PREFIX = "/interlude/";

/**
 * CloudEvents attribute values in headers are percent-encoded: space, `"`, `%` and everything outside
 * printable ASCII (CloudEvents NATS protocol binding, header values).
 */
export function encodeHeaderValue(text: string): string {
  let encoded = "";
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0) ?? 0;
    const plain = code > 0x20 && code < 0x7f && character !== '"' && character !== "%";
    encoded += plain ? character : percentEncode(character);
  }
  return encoded;
}

function percentEncode(character: string): string {
  let encoded = "";
  for (const byte of Buffer.from(character, "utf8"))
    encoded += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return encoded;
}

export function decodeHeaderValue(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function newEventId(): string {
  return randomUUID();
}

/** Fresh headers for each publish: the client mutates the object it is given. */
export function eventHeaders(
  event: InteractionEvent,
  eventId: string,
  service: string,
  timeText: string,
  trace?: TraceContext,
): MsgHdrs {
  const result = headers();
  result.set("ce-specversion", "1.0");
  result.set("ce-id", eventId);
  result.set("ce-type", interactionCeType(event.type));
  result.set("ce-source", `${SOURCE_PREFIX}${service}`);
  result.set("ce-time", timeText);
  result.set("ce-subject", encodeHeaderValue(event.data.interaction_id));
  result.set("ce-datacontenttype", "application/json");
  result.set("ce-asker", encodeHeaderValue(event.data.asker));
  result.set("ce-group", encodeHeaderValue(event.data.group_id));
  if (event.data.audience !== undefined) result.set("ce-audience", encodeHeaderValue(event.data.audience));
  if (trace !== undefined) {
    result.set("traceparent", trace.traceparent);
    if (trace.tracestate !== undefined) result.set("tracestate", trace.tracestate);
  }
  return result;
}
