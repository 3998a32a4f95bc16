import type { InteractionEvent } from "@interlude/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { askedFixture } from "./asked.fixture.ts";
import { decide, type InteractionCommand } from "./decide.ts";
import { evolve, fold } from "./evolve.ts";
import { UNASKED } from "./interaction.ts";

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

/** Runs commands one after another as the shell does, and returns what was stored. */
function run(commands: readonly InteractionCommand[]): { events: InteractionEvent[]; state: typeof UNASKED } {
  let state = UNASKED;
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

const commands = fc.array(command, { maxLength: 20 });

describe("for every order of commands and duplicates", () => {
  it("a question is asked at most once, ends at most once, and never ends before it was asked", () => {
    fc.assert(
      fc.property(commands, (order) => {
        const types = run(order).events.map((event) => event.type);
        expect(types.filter((type) => type === "asked").length).toBeLessThanOrEqual(1);
        expect(types.filter((type) => type !== "asked").length).toBeLessThanOrEqual(1);
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
        const last = new Map(events.map((event) => [event.type, event]));
        expect(fold([...last.values()])).toEqual({ ok: true, state });
      }),
    );
  });

  it("events that cannot follow change nothing", () => {
    fc.assert(
      fc.property(commands, commands, (order, others) => {
        const { state } = run(order);
        const stray = run(others).events.filter((event) => event.type !== "asked");
        const after = stray.reduce(evolve, state);
        if (state.status !== "pending") expect(after).toEqual(state);
      }),
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
