import { parseInstant, type RunEvent } from "@interlude/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunCommand } from "./decide-run.ts";
import { foldPark } from "./evolve-park.ts";
import { UNPARKED } from "./park.ts";
import { parkCommand, RunInMemory, turnReceived } from "./run.fixture.ts";

/** Parks of one run, and what was said to it. */
const TOKENS = ["one", "two", "three", "turn"] as const;
type Step = { token: (typeof TOKENS)[number]; command: RunCommand };

const token = fc.constantFrom(...TOKENS);
/** Clocks of different workers: one command's time may lie before the last one's. */
const nowMs = fc.integer({ min: 0, max: 3_000 });
const claimId = fc.constantFrom("c-1", "c-2", "c-3", "c-4");
const maxAttempts = fc.constantFrom(1, 2, 5);
const leaseMs = fc.constantFrom(1, 100, 1_000);

const command: fc.Arbitrary<RunCommand> = fc.oneof(
  { weight: 1, arbitrary: nowMs.map((now) => parkCommand({ nowMs: now })) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("RequestResume" as const), nowMs }) },
  {
    weight: 6,
    arbitrary: fc
      .record({ claimId, leaseMs, maxAttempts, nowMs, key: fc.constantFrom("k-1", "k-2", undefined) })
      .map(({ key, ...claim }): RunCommand => ({
        type: "Claim",
        ...claim,
        ...(key === undefined ? {} : { key }),
      })),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("Renew" as const), claimId, leaseMs, nowMs }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("Complete" as const),
      claimId,
      nowMs,
      parked: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("Fail" as const),
      claimId,
      reason: fc.constant("broken"),
      retry: fc.boolean(),
      maxAttempts,
      nowMs,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("FailForGood" as const),
      reason: fc.constant("no owner"),
      nowMs,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("Replay" as const), by: fc.constant("ann"), nowMs }),
  },
);

/** Every park is there and released at first in half of the runs, so that claims have something to take. */
const steps: fc.Arbitrary<Step[]> = fc
  .tuple(fc.boolean(), fc.array(fc.record({ token, command }), { maxLength: 40 }))
  .map(([isReleased, order]) => [
    ...(isReleased
      ? TOKENS.flatMap((each): Step[] => [
          { token: each, command: parkCommand() },
          { token: each, command: { type: "RequestResume", nowMs: 0 } },
        ])
      : []),
    ...order,
  ]);

function run(order: readonly Step[], onStored: (run: RunInMemory, before: RunInMemory["stored"]) => void) {
  const memory = new RunInMemory();
  memory.store("turn", turnReceived());
  for (const each of order) {
    const before = [...memory.stored];
    memory.handle(each.token, each.command);
    onStored(memory, before);
  }
  return memory;
}

/** The same commands by a clock that only goes forward. */
function byOneClock(order: readonly Step[]): Step[] {
  const times = order.map((each) => each.command.nowMs).sort((one, other) => one - other);
  return order.map(({ token: place, command: each }, index) => ({
    token: place,
    command: { ...each, nowMs: times[index] ?? 0 },
  }));
}

type Held = { token: string; claimId: string; fencing: number; untilMs: number };

/** Who holds what by the stored events alone: each claim that no later event ended. */
function heldClaims(stored: RunInMemory["stored"]): Held[] {
  const held = new Map<string, Held>();
  for (const { token: place, sequence, event } of stored) {
    const untilMs = "lease_until" in event.data ? (parseInstant(event.data.lease_until) ?? 0) : 0;
    if (event.type === "claimed") {
      held.set(place, { token: place, claimId: event.data.claim_id, fencing: sequence, untilMs });
    }
    const current = held.get(place);
    if (event.type === "renewed" && current !== undefined) held.set(place, { ...current, untilMs });
    if (["attempt_failed", "resumed", "failed"].includes(event.type)) held.delete(place);
  }
  return [...held.values()];
}

function atMs(event: RunEvent): number {
  return parseInstant(event.data.at) ?? 0;
}

describe("for every interleaving of parks, requests, claims, renewals, ends and repeats", () => {
  it("a park is completed at most once", () => {
    fc.assert(
      fc.property(steps, (order) => {
        const { stored } = run(order, () => undefined);
        for (const each of TOKENS) {
          const ends = stored.filter((one) => one.token === each && one.event.type === "resumed");
          expect(ends.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("a run never has two live claims, whichever of its parks they are of", () => {
    fc.assert(
      fc.property(steps.map(byOneClock), (order) => {
        run(order, ({ stored }, before) => {
          const added = stored[before.length];
          if (added?.event.type !== "claimed") return;
          const now = atMs(added.event);
          expect(heldClaims(before).filter(({ untilMs }) => now < untilMs)).toEqual([]);
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it("a claim follows the run's last one only when that is over or has run out, by whatever clock", () => {
    fc.assert(
      fc.property(steps, (order) => {
        run(order, ({ stored }, before) => {
          const added = stored[before.length];
          if (added?.event.type !== "claimed") return;
          const last = before.findLast(({ event }) => event.type === "claimed");
          const held = heldClaims(before).find(({ fencing }) => fencing === last?.sequence);
          expect(atMs(added.event)).toBeGreaterThanOrEqual(held?.untilMs ?? 0);
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it("no command is accepted on a lease that has run out, or that a later claim has passed", () => {
    fc.assert(
      fc.property(steps, (order) => {
        run(order, ({ stored }, before) => {
          const added = stored[before.length];
          if (added === undefined || !("fencing" in added.event.data)) return;
          const lastClaimed = before.findLast(({ event }) => event.type === "claimed");
          expect(added.event.data.fencing).toBe(lastClaimed?.sequence);
          const held = heldClaims(before).find((each) => each.token === added.token);
          expect(held?.claimId).toBe(added.event.data.claim_id);
          expect(atMs(added.event)).toBeLessThan(held?.untilMs ?? 0);
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it("fencing rises from claim to claim of a run, and stays while a claim lives", () => {
    fc.assert(
      fc.property(steps, (order) => {
        let highest = 0;
        run(order, (memory) => {
          for (const each of TOKENS) {
            const { park } = memory.facts(each);
            if (park.status === "claimed") highest = Math.max(highest, park.claim.fencing);
          }
          const last = memory.stored.findLast(({ event }) => event.type === "claimed");
          expect(highest).toBe(last?.sequence ?? 0);
        });
      }),
    );
  });

  it("attempts count the claims since the park was released or put back", () => {
    fc.assert(
      fc.property(steps, (order) => {
        const { stored } = run(order, () => undefined);
        for (const each of TOKENS) {
          let attempts = 0;
          for (const { event } of stored.filter((one) => one.token === each)) {
            if (event.type === "replayed") attempts = 0;
            if (event.type === "claimed") expect(event.data.attempt).toBe(++attempts);
            if (event.type === "failed") expect(event.data.attempt).toBe(attempts);
          }
        }
      }),
    );
  });

  it("the last event of each type gives the same state as all of them", () => {
    fc.assert(
      fc.property(steps, (order) => {
        run(order, (memory) => {
          for (const each of TOKENS) expect(memory.park(each)).toEqual(memory.replayed(each));
        });
      }),
    );
  });

  it("one command decides one event at most, and a repeat of what was accepted is no conflict", () => {
    fc.assert(
      fc.property(steps, token, command, (order, place, next) => {
        const memory = run(order, () => undefined);
        const decision = memory.handle(place, next);
        if (!decision.ok) return;
        expect(decision.events.length).toBeLessThanOrEqual(1);
        if (next.type === "Replay" || next.type === "Claim") return;
        expect(memory.handle(place, next)).toEqual({ ok: true, events: [] });
      }),
    );
  });

  it("messages delivered again change nothing", () => {
    fc.assert(
      fc.property(steps, (order) => {
        const { stored } = run(order, () => undefined);
        for (const each of TOKENS) {
          const own = stored.filter((one) => one.token === each);
          const twice = own.flatMap((one) => [one, one]);
          expect(foldPark(twice)).toEqual(foldPark(own));
        }
      }),
    );
  });

  it("an unknown event is never decided past", () => {
    fc.assert(
      fc.property(steps, fc.nat(), (order, at) => {
        const events = run(order, () => undefined).stored.filter((one) => one.token === "one");
        const place = at % (events.length + 1);
        const strange = { sequence: place, unknownType: "interlude.run.suspended.v1" };
        const history = [...events.slice(0, place), strange, ...events.slice(place)];
        expect(foldPark(history)).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
      }),
    );
  });

  it("without its first event there is nothing: none makes a park but parked, or a turn but turn_received", () => {
    fc.assert(
      fc.property(steps, (order) => {
        const strays = run(order, () => undefined).stored.filter(
          ({ event }) => !["parked", "turn_received"].includes(event.type),
        );
        expect(foldPark(strays)).toEqual({ ok: true, park: UNPARKED });
      }),
    );
  });
});
