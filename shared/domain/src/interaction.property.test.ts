import { END_TYPES, type InteractionEvent, isDeliveryEvent } from "@interlude/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { askedFixture } from "./asked.fixture.ts";
import { decide, type InteractionCommand } from "./decide.ts";
import { evolve, fold } from "./evolve.ts";
import { type Interaction, UNASKED } from "./interaction.ts";

const Json = z.json();
const moment = fc.integer({ min: 0, max: 2_000 });

const command: fc.Arbitrary<InteractionCommand> = fc.oneof(
  fc.constantFrom(
    { type: "Ask" as const, asked: askedFixture() },
    { type: "Ask" as const, asked: askedFixture({ fingerprint: "content-2" }) },
  ),
  fc
    .record({ nowMs: moment, answer: fc.jsonValue(), key: fc.constantFrom("k-1", "k-2", undefined) })
    .map(({ nowMs, answer, key }): InteractionCommand => ({
      type: "Answer",
      content: {
        answer: Json.parse(answer),
        answered_by: "bob",
        via: "door",
        ...(key === undefined ? {} : { request: { subject: "bob", key, fingerprint: "f" } }),
      },
      nowMs,
    })),
  moment.map((nowMs) => ({ type: "Expire" as const, nowMs })),
  moment.map((nowMs) => ({ type: "Cancel" as const, cancelledBy: "ann", nowMs })),
  moment.map((nowMs) => ({ type: "Fail" as const, reason: "gone", nowMs })),
);

const attempt = fc.integer({ min: 1, max: 4 });
const message = fc.constantFrom("m-1", "m-2", "m-3");

const deliveryCommand: fc.Arbitrary<InteractionCommand> = fc.oneof(
  fc
    .record({ nowMs: moment, attempt: fc.option(attempt, { nil: undefined }) })
    .map(({ nowMs, attempt: which }): InteractionCommand => ({
      ...{ type: "StartDelivery", worker: "w", nowMs },
      ...(which === undefined ? {} : { attempt: which }),
    })),
  fc
    .record({ nowMs: moment, attempt, id: message, isOpener: fc.boolean() })
    .map(({ nowMs, attempt: which, id, isOpener }): InteractionCommand => ({
      type: "RecordDelivered",
      receipt: {
        ...{ attempt: which, address: "C1", messageIds: [id], controls: [id], shape: "buttons" },
        ...(isOpener ? { opener: true } : {}),
      },
      nowMs,
    })),
  fc
    .record({
      nowMs: moment,
      attempt,
      outcome: fc.constantFrom("rejected" as const, "rate_limited" as const, "unknown" as const),
      final: fc.boolean(),
    })
    .map((failed): InteractionCommand => ({ type: "RecordDeliveryFailed", reason: "no", ...failed })),
  fc
    .record({
      nowMs: moment,
      messageId: message,
      status: fc.constantFrom("sent" as const, "delivered" as const, "read" as const, "failed" as const),
    })
    .map((report): InteractionCommand => ({ type: "ReportDelivery", ...report })),
  fc
    .record({ nowMs: moment, updateId: fc.constantFrom("u-1", "u-2") })
    .map((update): InteractionCommand => ({ type: "RecordMismatch", reason: "no option", ...update })),
);

function knownOf(state: Interaction) {
  if (state.status === "unasked") throw new Error("not asked");
  return state;
}

const channelAsk: InteractionCommand = { type: "Ask", asked: askedFixture({ channel: "sms" }) };
/** What a channel's question goes through. */
const channelCommands = fc
  .array(fc.oneof({ weight: 1, arbitrary: command }, { weight: 4, arbitrary: deliveryCommand }), {
    maxLength: 30,
  })
  .map((order) => [channelAsk, ...order]);

/** Runs commands one after another as the shell does, and returns what was stored. */
function run(commands: readonly InteractionCommand[]): { events: InteractionEvent[]; state: Interaction } {
  let state: Interaction = UNASKED;
  const events: InteractionEvent[] = [];
  for (const each of commands) {
    const decision = decide(each, state);
    if (!decision.ok) continue;
    for (const event of decision.events) {
      events.push(event);
      state = evolve(state, event);
    }
  }
  return { events, state };
}

const commands = fc.oneof(fc.array(command, { maxLength: 20 }), channelCommands);

describe("for every order of commands and duplicates", () => {
  it("a question is asked at most once, ends at most once, and never ends before it was asked", () => {
    fc.assert(
      fc.property(commands, (order) => {
        const types = run(order).events.map((event) => event.type);
        expect(types.filter((type) => type === "asked").length).toBeLessThanOrEqual(1);
        const isEnd = (type: string) => END_TYPES.some((end) => end === type);
        expect(types.filter(isEnd).length).toBeLessThanOrEqual(1);
        if (types.length > 0) expect(types[0]).toBe("asked");
      }),
      { numRuns: 1_000 },
    );
  });

  it("replaying the stored events gives the same state", () => {
    fc.assert(
      fc.property(commands, (order) => {
        const { events, state } = run(order);
        expect(fold(events)).toEqual({ ok: true, state });
      }),
    );
  });

  it("one command decides one event at most, since one event is one message", () => {
    fc.assert(
      fc.property(commands, command, (order, next) => {
        const decision = decide(next, run(order).state);
        if (decision.ok) expect(decision.events.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("the last event of each type is all that a decider needs", () => {
    fc.assert(
      fc.property(commands, (order) => {
        const { events, state } = run(order);
        const last = new Map<string, InteractionEvent>();
        for (const event of events) {
          // The last of each type stands where it was stored.
          last.delete(event.type);
          last.set(event.type, event);
        }
        expect(fold([...last.values()])).toEqual({ ok: true, state });
      }),
    );
  });

  it("events that cannot follow change nothing", () => {
    fc.assert(
      fc.property(commands, commands, (order, others) => {
        const { state } = run(order);
        const isStray = (event: InteractionEvent) => event.type !== "asked" && !isDeliveryEvent(event);
        const stray = run(others).events.filter(isStray);
        const after = stray.reduce(evolve, state);
        if (state.status !== "pending") expect(after).toEqual(state);
      }),
    );
  });

  it("a delivery never changes how a question stands, nor is one begun after its end", () => {
    fc.assert(
      fc.property(channelCommands, deliveryCommand, (order, next) => {
        const { state } = run(order);
        const decision = decide(next, state);
        if (!decision.ok) return;
        for (const event of decision.events) {
          const { delivery: before, ...rest } = knownOf(state);
          const { delivery: after, ...same } = knownOf(evolve(state, event));
          expect(same).toEqual(rest);
          expect(after).not.toEqual(before);
          if (event.type === "delivery_started") expect(state.status).toBe("pending");
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("attempts are counted one by one, and what was given up or has arrived is not tried again", () => {
    fc.assert(
      fc.property(channelCommands, (order) => {
        let attempts = 0;
        let isOver = false;
        for (const event of run(order).events) {
          if (event.type === "delivery_started") {
            expect(isOver).toBe(false);
            expect(event.data.attempt).toBeGreaterThan(attempts);
          }
          if ("attempt" in event.data) attempts = Math.max(attempts, event.data.attempt);
          if (event.type === "delivered") isOver = event.data.opener !== true;
          if (event.type === "delivery_failed" && event.data.final) isOver = true;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("an unknown event is never decided past", () => {
    fc.assert(
      fc.property(commands, fc.nat(), (order, at) => {
        const { events } = run(order);
        const place = at % (events.length + 1);
        const history = [
          ...events.slice(0, place),
          { unknownType: "interlude.interaction.reopened.v1" },
          ...events.slice(place),
        ];
        expect(fold(history)).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
      }),
    );
  });
});
