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

export type Envelope = {
  id: string;
  type: string;
  service: string;
  time: string;
  /** What the event is about. */
  subject: string;
  asker: string;
  group?: string;
  audience?: string | undefined;
  trace?: TraceContext | undefined;
};

/** CloudEvents attributes in binary mode. Fresh for each publish: the client mutates the object it is given. */
export function cloudEventHeaders(envelope: Envelope): MsgHdrs {
  const result = systemHeaders(envelope, envelope);
  result.set("ce-asker", encodeHeaderValue(envelope.asker));
  if (envelope.group !== undefined) result.set("ce-group", encodeHeaderValue(envelope.group));
  if (envelope.audience !== undefined) result.set("ce-audience", encodeHeaderValue(envelope.audience));
  return result;
}

/** CloudEvents attributes of what belongs to no asker. */
export function systemHeaders(
  { service }: { service: string },
  event: Pick<Envelope, "id" | "type" | "time" | "subject" | "trace">,
): MsgHdrs {
  const result = headers();
  result.set("ce-specversion", "1.0");
  result.set("ce-id", event.id);
  result.set("ce-type", event.type);
  result.set("ce-source", `${SOURCE_PREFIX}${service}`);
  result.set("ce-time", event.time);
  result.set("ce-subject", encodeHeaderValue(event.subject));
  result.set("ce-datacontenttype", "application/json");
  setTrace(result, event.trace);
  return result;
}

function setTrace(result: MsgHdrs, trace: TraceContext | undefined): void {
  if (trace === undefined) return;
  result.set("traceparent", trace.traceparent);
  if (trace.tracestate !== undefined) result.set("tracestate", trace.tracestate);
}

export function eventHeaders(
  event: InteractionEvent,
  eventId: string,
  service: string,
  timeText: string,
  trace?: TraceContext,
): MsgHdrs {
  const { interaction_id: subject, asker, group_id: group, audience } = event.data;
  const type = interactionCeType(event.type);
  return cloudEventHeaders({
    id: eventId,
    type,
    service,
    time: timeText,
    subject,
    asker,
    group,
    audience,
    trace,
  });
}
