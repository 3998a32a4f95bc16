import type { Channel, ProviderRequest, SendOutcome } from "@interlude/channel-kit";
import { type AskedData, formatInstant } from "@interlude/contract";
import { decide, evolve, type Interaction, type InteractionCommand } from "@interlude/domain";
import { progressOf } from "./delivery-progress.ts";
import type { DeliveryRecord } from "./delivery-record.ts";

export function askedOn(
  channel: string,
  id: string,
  { nowMs = Date.now(), seconds = 3_600 } = {},
): AskedData {
  return {
    interaction_id: id,
    asker: "asker",
    group_id: "group",
    question: `Question ${id}?`,
    answer_format: "confirm",
    format_payload: {},
    mode: "sync",
    created_at: formatInstant(nowMs),
    timeout_at: formatInstant(nowMs + seconds * 1_000),
    channel,
    recipient: "someone",
    sensitive: false,
    fingerprint: "f",
  };
}

/** Questions and their events by the rules of the log, in memory. */
export function memoryRecord(nowMs: () => number, worker = "w") {
  const states = new Map<string, Interaction>();
  const events: string[] = [];

  function decided(id: string, command: InteractionCommand): boolean {
    const state = states.get(id) ?? { status: "unasked" };
    const decision = decide(command, state);
    if (!decision.ok) return false;
    for (const event of decision.events) {
      states.set(id, evolve(state, event));
      events.push(event.type === "delivery_failed" ? `${event.type} ${event.data.outcome}` : event.type);
    }
    return decision.events.length > 0;
  }

  const record: DeliveryRecord = {
    read(id) {
      const state = states.get(id);
      const isKnown = state !== undefined && state.status !== "unasked";
      return Promise.resolve(isKnown ? { state, delivery: progressOf(state) } : undefined);
    },
    start: (id, attempt) =>
      Promise.resolve(decided(id, { type: "StartDelivery", attempt, worker, nowMs: nowMs() })),
    goOn: (id, attempt, messageIds) =>
      Promise.resolve(decided(id, { type: "ContinueDelivery", attempt, worker, messageIds, nowMs: nowMs() })),
    delivered(id, attempt, receipt) {
      decided(id, { type: "RecordDelivered", receipt: { ...receipt, attempt }, nowMs: nowMs() });
      return Promise.resolve();
    },
    attemptFailed(id, attempt, failure) {
      decided(id, { type: "RecordDeliveryFailed", attempt, ...failure, nowMs: nowMs() });
      return Promise.resolve();
    },
    fail(id, reason) {
      decided(id, { type: "Fail", reason, delivery: true, nowMs: nowMs() });
      return Promise.resolve();
    },
  };
  const stateOf = (id: string): Interaction => states.get(id) ?? { status: "unasked" };
  return { record, events, decided, stateOf };
}

export type ScriptedChannel = Channel & { sent: ProviderRequest[]; answers: SendOutcome[] };

/** A channel that answers as it is told, and takes everything once it has nothing left to say. */
export function scriptedChannel(name = "script", messages = 1): ScriptedChannel {
  const sent: ProviderRequest[] = [];
  const answers: SendOutcome[] = [];
  return {
    name,
    sent,
    answers,
    capabilities: {
      formDelivery: "page",
      interactive: true,
      replyContext: true,
      media: [],
      caps: {},
      idempotentSend: false,
    },
    defaultRecipient: undefined,
    check: () => [],
    checkNotification: () => [],
    address: (recipient) => recipient.toLowerCase(),
    render: ({ question }) => ({
      requests: Array.from({ length: messages }, (_, index) => ({
        method: "say",
        body: { text: `${question} ${index}` },
        ...(index === messages - 1 ? { carriesControls: true } : {}),
      })),
      shape: "buttons",
    }),
    renderEnd: ({ messageId }, end) => [{ method: "edit", body: { messageId, status: end.status } }],
    // A line is a message.
    renderNotice: (address, text) =>
      text.split("\n").map((line) => ({ method: "say", body: { address, text: line } })),
    renderNotification: ({ message }) => [{ method: "say", body: { text: message } }],
    send(request) {
      sent.push(request);
      return Promise.resolve(answers.shift() ?? { kind: "sent", messageId: `m${sent.length}` });
    },
    verify: () => ({ ok: true }),
    parse: () => ({ inbound: [] }),
  };
}
