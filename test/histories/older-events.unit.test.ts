import {
  parseConversationEvent,
  parseDriverRegistered,
  parseInboundReceived,
  parseInteractionEvent,
  parseNotificationSent,
  parseRunEvent,
} from "@interlude/contract";
import {
  fold,
  foldConversation,
  foldPark,
  type HistoryEntry,
  type RunHistoryEntry,
} from "@interlude/domain";
import { addressOfAsked, parseRunSubject } from "@interlude/event-log";
import { describe, expect, it } from "vitest";
import { ceTypeOf, newerThan, recorded, type RecordedEvent } from "./recorded.ts";

const interactions = [...recorded("interactions"), ...recorded("deliveries")];
const [drivers, parks] = [true, false].map((isDriver) =>
  recorded("runs").filter(({ events }) => (events[0]?.subject.startsWith("drivers.") ?? false) === isDriver),
);

function interactionEntry(event: RecordedEvent): HistoryEntry {
  const unknown = { unknownType: ceTypeOf(event) };
  return parseInteractionEvent(ceTypeOf(event), event.data) ?? unknown;
}

function runEntry(event: RecordedEvent): RunHistoryEntry {
  const { sequence } = event;
  const known = parseRunEvent(ceTypeOf(event), event.data);
  return known === undefined ? { sequence, unknownType: ceTypeOf(event) } : { sequence, event: known };
}

describe("what an earlier version stored is read as it was meant:", () => {
  it.each(interactions)("the interaction $history", ({ events, state }) => {
    const entries = events.map(interactionEntry);
    // Nothing is lost in reading, and nothing is made up.
    expect(entries.map((entry) => "type" in entry && entry.data)).toEqual(events.map(({ data }) => data));
    expect(fold(entries)).toMatchObject({ ok: true, state });
  });

  it.each(interactions)("the place of $history", ({ events: [first] }) => {
    const asked = first === undefined ? undefined : interactionEntry(first);
    if (first === undefined || asked === undefined || !("type" in asked) || asked.type !== "asked")
      throw new Error("a history begins with its question");
    const { channel, partition, id } = addressOfAsked(asked.data);
    expect(first.subject).toBe(`interactions.asked.${channel}.${partition}.${id}`);
  });

  it.each(parks ?? [])("the park $history", ({ events, state }) => {
    const entries = events.map(runEntry);
    expect(entries.map((entry) => "event" in entry && entry.event.data)).toEqual(
      events.map(({ data }) => data),
    );
    expect(foldPark(entries)).toMatchObject({ ok: true, park: state });
    expect(events.every(({ subject }) => parseRunSubject(subject)?.address !== undefined)).toBe(true);
  });

  it.each(drivers ?? [])("the driver $history", ({ events, state }) => {
    const last = events.at(-1);
    expect(last && parseDriverRegistered(ceTypeOf(last), last.data)).toMatchObject(state);
  });

  it.each(recorded("conversations"))("the conversation $history", ({ events, state }) => {
    const read = events.map((event) => parseConversationEvent(ceTypeOf(event), event.data));
    expect(read.map((event) => event?.data)).toEqual(events.map(({ data }) => data));
    const { open, closed } = foldConversation(read.filter((event) => event !== undefined));
    expect({ open, closed: [...closed] }).toEqual(state);
  });

  it.each(recorded("inbound"))("the update $history", ({ events: [event], state }) => {
    const read = event && parseInboundReceived(ceTypeOf(event), event.data);
    expect(read).toEqual(event?.data);
    expect(read).toMatchObject(state);
  });

  it.each(recorded("notifications"))("the notification $history", ({ events: [event], state }) => {
    const read = event && parseNotificationSent(ceTypeOf(event), event.data);
    expect(read).toEqual(event?.data);
    expect(read).toMatchObject(state);
  });
});

it("a channel's question that says no address is in the conversation of its recipient", () => {
  const of = { interaction_id: "q", channel: "telegram", recipient: "1001" };
  expect(addressOfAsked(of)).toEqual(addressOfAsked({ ...of, address: "1001" }));
});

describe("what a newer version stored is not decided past:", () => {
  it.each(interactions)("the interaction $history", ({ events }) => {
    const entries = [...events, ...events.slice(-1).map(newerThan)].map(interactionEntry);
    expect(fold(entries)).toEqual({ ok: false, refusal: { code: "unavailable", reason: unknown(entries) } });
  });

  it.each(parks ?? [])("the park $history", ({ events }) => {
    const entries = [...events, ...events.slice(-1).map(newerThan)].map(runEntry);
    expect(foldPark(entries)).toEqual({
      ok: false,
      refusal: { code: "unavailable", reason: unknown(entries) },
    });
  });
});

function unknown(entries: readonly (HistoryEntry | RunHistoryEntry)[]): string {
  const last = entries.at(-1);
  return `unknown event type ${last !== undefined && "unknownType" in last ? last.unknownType : "?"}`;
}
