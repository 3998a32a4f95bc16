import {
  formatInstant,
  INBOUND_RECEIVED,
  type InboundReceivedData,
  parseInboundReceived,
} from "@interlude/contract";
import { ServiceFailure, sha256Base64Url } from "@interlude/kernel";
import { appendMessage } from "./append.ts";
import type { Log } from "./connect.ts";
import type { Delivery } from "./durable.ts";
import { newEventId, systemHeaders, type TraceContext } from "./envelope.ts";
import { lastMessage, purgeSubject } from "./media-objects.ts";
import { STREAMS } from "./streams.ts";

/** Where an update is kept: `inbound.<channel>.<partition>.<token of the provider's id>`. */
export type InboundPlace = Readonly<{ channel: string; partition: number; updateToken: string }>;

export type StoredInbound = Readonly<{
  subject: string;
  sequence: number;
  storedAtMs: number;
  entry: InboundReceivedData | { unknownType: string };
}>;

/** What came over channels, each update once, for as long as the stream keeps it. */
export interface InboundStore {
  /** `duplicate`: the provider told of it before. @throws ServiceFailure also when no acknowledgement came. */
  add(
    received: InboundReceivedData,
    place: InboundPlace,
    trace?: TraceContext,
  ): Promise<"stored" | "duplicate">;
  /** By the subject it was stored on, as the log's leader has it; `undefined`: it has aged, or never was. */
  find(subject: string): Promise<StoredInbound | undefined>;
  /** Keeps that it came, and nothing of what it said. May be repeated. @throws ServiceFailure */
  forget(place: InboundPlace): Promise<void>;
}

/** The provider's own id says nothing in a subject. */
export function inboundPlace(channel: string, partition: number, updateId: string): InboundPlace {
  return { channel, partition, updateToken: `x_${sha256Base64Url(`${channel}\n${updateId}`)}` };
}

export function inboundSubject({ channel, partition, updateToken }: InboundPlace): string {
  return `inbound.${channel}.${partition}.${updateToken}`;
}

const decoder = new TextDecoder();
const MAX_ATTEMPTS = 3;

export function createInboundStore(log: Log): InboundStore {
  return {
    async add(received, place, trace) {
      const subject = inboundSubject(place);
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const headers = systemHeaders(log, {
          ...{ id: newEventId(), type: INBOUND_RECEIVED, subject: place.updateToken, trace },
          time: formatInstant(log.clock.nowMs()),
        });
        const payload = JSON.stringify(received);
        const outcome = await appendMessage(log, { subject, filter: subject, position: 0, payload, headers });
        if (outcome.status === "appended") return "stored";
        // After an unknown outcome the one that stands there may be ours: new to whoever is told of it.
        if (outcome.status === "conflict") return attempt === 1 ? "duplicate" : "stored";
      }
      throw new ServiceFailure("log_unavailable", { retry: "later", message: "no acknowledgement came" });
    },

    async find(subject) {
      const message = await lastMessage(log, STREAMS.inbound, subject);
      if (message === undefined) return undefined;
      const { seq: sequence, data, time, header } = message;
      const ceType = header.get("ce-type");
      return { subject, sequence, storedAtMs: time.getTime(), entry: readEntry(subject, ceType, data) };
    },

    async forget(place) {
      const subject = inboundSubject(place);
      const message = await lastMessage(log, STREAMS.inbound, subject);
      if (message === undefined) return;
      const entry = readEntry(subject, message.header.get("ce-type"), message.data);
      if ("unknownType" in entry || entry.kind === "ignored") return;
      const { channel, update_id, received_at } = entry;
      const forgotten: InboundReceivedData = { channel, kind: "ignored", update_id, received_at };
      const { seq: position } = message;
      const headers = systemHeaders(log, {
        ...{ id: newEventId(), type: INBOUND_RECEIVED, subject: place.updateToken, trace: undefined },
        time: formatInstant(log.clock.nowMs()),
      });
      const payload = JSON.stringify(forgotten);
      // In this order, so that a repeat of the provider never finds its place free.
      const outcome = await appendMessage(log, { subject, filter: subject, position, payload, headers });
      if (outcome.status === "unknown")
        throw new ServiceFailure("log_unavailable", { retry: "later", message: "no acknowledgement came" });
      await purgeSubject(log, STREAMS.inbound, subject, position);
    },
  };
}

/** Reads a durable consumer's delivery of an update. @throws ServiceFailure `event_unreadable` */
export function readInboundDelivery(delivery: Delivery): StoredInbound {
  const { subject, sequence, storedAtMs, data } = delivery;
  return { subject, sequence, storedAtMs, entry: readEntry(subject, delivery.header("ce-type"), data) };
}

function readEntry(subject: string, ceType: string, data: Uint8Array): StoredInbound["entry"] {
  try {
    const parsed = parseInboundReceived(ceType, JSON.parse(decoder.decode(data)));
    return parsed ?? { unknownType: ceType };
  } catch (cause) {
    throw new ServiceFailure("event_unreadable", { retry: "never", context: { subject }, cause });
  }
}
