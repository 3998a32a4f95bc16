import { formatInstant } from "@interlude/contract";
import { describe, expect, it } from "vitest";
import { backoffMs, decideRun, liveClaim, type RunCommand } from "./decide-run.ts";
import { foldPark } from "./evolve-park.ts";
import { attemptsOf, type Park, runStateOf } from "./park.ts";
import { parkCommand, RunInMemory, turnReceived } from "./run.fixture.ts";

const LEASE_MS = 1_000;
const request: RunCommand = { type: "RequestResume", nowMs: 1 };
const claim = (claimId: string, nowMs: number, key?: string): RunCommand => ({
  type: "Claim",
  claimId,
  leaseMs: LEASE_MS,
  maxAttempts: 3,
  nowMs,
  ...(key === undefined ? {} : { key }),
});
const renew = (claimId: string, nowMs: number): RunCommand => ({
  type: "Renew",
  claimId,
  leaseMs: LEASE_MS,
  nowMs,
});
const complete = (claimId: string, nowMs: number): RunCommand => ({ type: "Complete", claimId, nowMs });
const fail = (claimId: string, nowMs: number, retry = true): RunCommand => ({
  type: "Fail",
  claimId,
  reason: "no network",
  retry,
  maxAttempts: 3,
  nowMs,
});
const replay = (nowMs: number): RunCommand => ({ type: "Replay", by: "ann", nowMs });
const failForGood = (nowMs: number): RunCommand => ({ type: "FailForGood", reason: "no owner", nowMs });
const NOTHING = { ok: true, events: [] };

function given(...commands: RunCommand[]): RunInMemory {
  const run = new RunInMemory();
  for (const command of commands) run.handle("one", command);
  return run;
}

function refusal(run: RunInMemory, command: RunCommand, token = "one") {
  const decision = run.handle(token, command);
  return decision.ok ? undefined : decision.refusal;
}

const released = [parkCommand(), request];

describe("parking", () => {
  it("waits for the set of questions, each once and in one order", () => {
    const run = given(parkCommand({ interactionIds: ["b", "a", "b"] }));
    expect(run.park("one")).toMatchObject({ status: "parked", parked: { interaction_ids: ["a", "b"] } });
  });

  it("the same set again changes nothing, under whatever id and whatever became of it", () => {
    const run = given(...released, claim("c-1", 10), complete("c-1", 20));
    const again = parkCommand({ interactionIds: ["question-2", "question-1"], parkId: "other" });
    expect(run.handle("one", again)).toEqual(NOTHING);
    expect(run.park("one")).toMatchObject({ status: "resumed", parked: { park_id: "park-1" } });
  });

  it.each([
    ["another set", parkCommand({ interactionIds: ["question-3"] })],
    ["another subject", parkCommand({ owner: "eve" })],
  ])("%s in its place is a conflict", (_, command) => {
    expect(refusal(given(parkCommand()), command)).toEqual({ code: "idempotency_conflict" });
  });

  it("under an id that shows another park of the run is a conflict", () => {
    const decision = decideRun(parkCommand(), { park: { status: "unparked" }, isNameTaken: true });
    expect(decision).toEqual({ ok: false, refusal: { code: "idempotency_conflict" } });
  });

  it("again is for who holds the run: a claim that has been lost can park nothing", () => {
    const again = (nowMs: number) => parkCommand({ interactionIds: ["q-3"], fromClaim: "c-1", nowMs });
    const late = given(...released, claim("c-1", 10));
    expect(refusal(late, again(10 + LEASE_MS), "two")).toEqual({ code: "lease_lost" });
    const over = given(...released, claim("c-1", 10), complete("c-1", 20));
    expect(refusal(over, again(30), "two")).toEqual({ code: "lease_lost" });
    const live = given(...released, claim("c-1", 10));
    expect(refusal(live, again(20), "two")).toBeUndefined();
    expect(live.park("two")).toMatchObject({ status: "parked", parked: { from_claim: "c-1" } });
  });
});

describe("claiming", () => {
  it("gives a lease, an attempt and a fencing number that is the event's place in the log", () => {
    const run = given(...released, claim("c-1", 10));
    expect(run.park("one")).toMatchObject({
      status: "claimed",
      claim: { claimId: "c-1", fencing: 3, attempt: 1, leaseUntilMs: 10 + LEASE_MS },
    });
  });

  it("is not possible before every question has ended, nor after the end", () => {
    expect(refusal(given(parkCommand()), claim("c-1", 10))).toEqual({ code: "not_claimable" });
    const done = given(...released, claim("c-1", 10), complete("c-1", 20));
    expect(refusal(done, claim("c-2", 30))).toEqual({ code: "not_claimable" });
    expect(refusal(new RunInMemory(), claim("c-1", 10))).toEqual({ code: "not_found" });
  });

  it("waits for another's lease, and takes over when it has run out, with a higher fencing number", () => {
    const run = given(...released, claim("c-1", 10));
    expect(refusal(run, claim("c-2", 9 + LEASE_MS))).toEqual({
      code: "not_claimable",
      availableAtMs: 10 + LEASE_MS,
    });
    run.handle("one", claim("c-2", 10 + LEASE_MS));
    expect(run.park("one")).toMatchObject({ claim: { claimId: "c-2", fencing: 4, attempt: 2 } });
  });

  it("under the same idempotency key is the same claim while its lease lives", () => {
    const run = given(...released, claim("c-1", 10, "k"));
    expect(run.handle("one", claim("c-2", 20, "k"))).toEqual(NOTHING);
    expect(refusal(run, claim("c-2", 20, "other"))).toMatchObject({ code: "not_claimable" });
    expect(refusal(run, claim("c-2", 20))).toMatchObject({ code: "not_claimable" });
    run.handle("one", claim("c-2", 10 + LEASE_MS, "k"));
    expect(run.park("one")).toMatchObject({ claim: { claimId: "c-2" } });
  });

  it("a run that is being resumed from another park is busy, also when the other is renewed", () => {
    const run = given(...released);
    run.handle("two", parkCommand({ interactionIds: ["q-3"] }));
    run.handle("two", request);
    run.handle("one", claim("c-1", 10));
    run.handle("one", renew("c-1", 500));
    expect(refusal(run, claim("c-2", 1_400), "two")).toEqual({ code: "run_busy", untilMs: 1_500 });
    run.handle("one", complete("c-1", 1_450));
    expect(refusal(run, claim("c-2", 1_460), "two")).toBeUndefined();
  });

  it("when leases ran out as often as there are attempts fails the run instead", () => {
    const run = given(...released, claim("c-1", 0), claim("c-2", 1_000), claim("c-3", 2_000));
    run.handle("one", claim("c-4", 3_000));
    expect(run.park("one")).toMatchObject({ status: "failed", failed: { attempt: 3 } });
  });
});

describe("a claim whose lease has run out", () => {
  it.each([renew("c-1", 1_000), complete("c-1", 1_000), fail("c-1", 1_000)])(
    "is lost to $type even if nobody else came",
    (command) => {
      expect(refusal(given(...released, claim("c-1", 0)), command)).toEqual({ code: "lease_lost" });
    },
  );

  it.each([renew("c-1", 1_500), complete("c-1", 1_500), fail("c-1", 1_500)])(
    "is lost to $type when another has taken over",
    (command) => {
      const run = given(...released, claim("c-1", 0), claim("c-2", 1_000));
      expect(refusal(run, command)).toEqual({ code: "lease_lost" });
    },
  );

  it("is lost when another park of the run was claimed since, also by a clock that is behind", () => {
    const run = given(...released);
    run.handle("two", parkCommand({ interactionIds: ["q-3"] }));
    run.handle("two", request);
    run.handle("one", claim("c-1", 0));
    run.handle("two", claim("c-2", 1_000));
    expect(refusal(run, complete("c-1", 999))).toEqual({ code: "lease_lost" });
    expect(run.handle("two", complete("c-2", 1_500)).ok).toBe(true);
  });
});

describe("a claim that a later one has passed", () => {
  it.each(["completed", "failed", "put back"])("is lost also when the later one's park has %s", (end) => {
    const run = given(...released);
    run.handle("two", parkCommand({ interactionIds: ["q-3"] }));
    run.handle("two", request);
    run.handle("one", claim("c-1", 0));
    run.handle("two", claim("c-2", 1_000));
    run.handle("two", end === "completed" ? complete("c-2", 1_001) : fail("c-2", 1_001, false));
    if (end === "put back") run.handle("two", replay(1_002));
    // Its own clock is behind.
    for (const late of [renew("c-1", 999), complete("c-1", 999), fail("c-1", 999)]) {
      expect(refusal(run, late)).toEqual({ code: "lease_lost" });
    }
  });
});

describe("what a claim's bearer may do", () => {
  it("ends with the lease, the completion, and a later claim", () => {
    const run = given(...released);
    expect(liveClaim(run.facts("one"), "c-1", 0)).toBeUndefined();
    run.handle("one", claim("c-1", 0));
    expect(liveClaim(run.facts("one"), "c-1", 999)).toMatchObject({ claimId: "c-1", fencing: 3 });
    expect(liveClaim(run.facts("one"), "c-1", 1_000)).toBeUndefined();
    expect(liveClaim(run.facts("one"), "c-2", 0)).toBeUndefined();
    run.handle("one", claim("c-2", 1_000));
    expect(liveClaim(run.facts("one"), "c-1", 0)).toBeUndefined();
    run.handle("one", complete("c-2", 1_001));
    expect(liveClaim(run.facts("one"), "c-2", 1_002)).toBeUndefined();
    expect(liveClaim(run.facts("nowhere"), "c-1", 0)).toBeUndefined();
  });
});

describe("renewing", () => {
  it("moves the end of the lease and never takes any of it back", () => {
    const run = given(...released, claim("c-1", 100), renew("c-1", 600));
    expect(run.park("one")).toMatchObject({ claim: { leaseUntilMs: 1_600, fencing: 3 } });
    expect(run.handle("one", renew("c-1", 500))).toEqual(NOTHING);
    expect(run.park("one")).toMatchObject({ claim: { leaseUntilMs: 1_600 } });
  });
});

describe("completing", () => {
  it("ends a park once; by the claim that completed it may be repeated", () => {
    const run = given(...released, claim("c-1", 0), complete("c-1", 10));
    expect(run.handle("one", complete("c-1", 5_000))).toEqual(NOTHING);
    expect(refusal(run, complete("c-2", 20))).toEqual({ code: "lease_lost" });
    expect(run.stored.filter(({ event }) => event.type === "resumed")).toHaveLength(1);
  });

  it("keeps what the run gave, also a falsy one, and that it parked again", () => {
    for (const result of [0, "", false, null]) {
      const run = given(...released, claim("c-1", 0), {
        type: "Complete",
        claimId: "c-1",
        nowMs: 10,
        result,
      });
      expect(run.stored.at(-1)?.event.data).toMatchObject({ result });
    }
    const run = given(...released, claim("c-1", 0));
    run.handle("one", { type: "Complete", claimId: "c-1", parked: true, nowMs: 5 });
    expect(run.stored.at(-1)?.event.data).toMatchObject({ parked: true });
  });

  it("that says it has parked, where nothing would go on with the run, ends nothing", () => {
    const run = given(...released, claim("c-1", 0));
    const parked = { type: "Complete", claimId: "c-1", parked: true, isAwaited: false, nowMs: 5 } as const;
    expect(run.handle("one", parked)).toEqual({ ok: false, refusal: { code: "not_parked" } });
    expect(run.handle("one", { ...parked, claimId: "c-2" })).toMatchObject({
      refusal: { code: "lease_lost" },
    });
    expect(run.park("one").status).toBe("claimed");
    expect(run.handle("one", { type: "Complete", claimId: "c-1", nowMs: 6 }).ok).toBe(true);
    // Said again by the claim that completed.
    expect(run.handle("one", parked).ok).toBe(true);
  });
});

describe("giving up", () => {
  it("to be tried again waits longer from attempt to attempt, five minutes at most", () => {
    expect([1, 2, 3, 9, 10, 500].map(backoffMs)).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
    const run = given(...released, claim("c-1", 0), fail("c-1", 10));
    expect(run.park("one")).toMatchObject({ status: "waiting", retryAtMs: 1_010, reason: "no network" });
    expect(refusal(run, claim("c-2", 1_009))).toEqual({ code: "not_claimable", availableAtMs: 1_010 });
    run.handle("one", claim("c-2", 1_010));
    expect(run.park("one")).toMatchObject({ status: "claimed", claim: { attempt: 2 } });
  });

  it("said again by the same claim changes nothing", () => {
    const waiting = given(...released, claim("c-1", 0), fail("c-1", 10));
    expect(waiting.handle("one", fail("c-1", 20))).toEqual(NOTHING);
    const failed = given(...released, claim("c-1", 0), fail("c-1", 10, false));
    expect(failed.handle("one", fail("c-1", 20, false))).toEqual(NOTHING);
    expect(refusal(failed, fail("c-2", 20))).toEqual({ code: "lease_lost" });
  });

  it("for good, or with the last attempt, fails the run with the reason", () => {
    const forGood = given(...released, claim("c-1", 0), fail("c-1", 10, false));
    expect(forGood.park("one")).toMatchObject({
      status: "failed",
      failed: { reason: "no network", attempt: 1, claim_id: "c-1" },
    });
    const last = given(...released, claim("c-1", 0), claim("c-2", 1_000), claim("c-3", 2_000));
    last.handle("one", fail("c-3", 2_010));
    expect(last.park("one")).toMatchObject({ status: "failed", failed: { attempt: 3 } });
  });

  it("when fewer attempts are allowed than were made, what is waiting fails with its reason", () => {
    const run = given(...released, claim("c-1", 0), fail("c-1", 10));
    run.handle("one", { type: "Claim", claimId: "c-2", leaseMs: 1, maxAttempts: 1, nowMs: 2_000 });
    expect(run.park("one")).toMatchObject({ status: "failed", failed: { reason: "no network" } });
  });
});

describe("failing without a claim", () => {
  it("ends what nobody holds, once", () => {
    const run = given(...released, failForGood(5));
    expect(run.park("one")).toMatchObject({ status: "failed", failed: { reason: "no owner", attempt: 0 } });
    expect(run.handle("one", failForGood(6))).toEqual(NOTHING);
    expect(refusal(given(...released, claim("c-1", 0)), failForGood(1_000))).toBeUndefined();
    expect(refusal(given(...released, claim("c-1", 0), fail("c-1", 1)), failForGood(2))).toBeUndefined();
  });

  it("leaves alone what waits for answers, is held, or is over", () => {
    expect(refusal(given(parkCommand()), failForGood(5))).toEqual({ code: "not_claimable" });
    expect(refusal(given(...released, claim("c-1", 0)), failForGood(5))).toEqual({
      code: "not_claimable",
      availableAtMs: LEASE_MS,
    });
    const done = given(...released, claim("c-1", 0), complete("c-1", 1));
    expect(refusal(done, failForGood(5))).toEqual({ code: "not_claimable" });
  });
});

describe("replaying", () => {
  it("puts a failed run back with its attempts before it", () => {
    const run = given(...released, claim("c-1", 0), fail("c-1", 10, false), replay(20));
    expect(run.park("one")).toMatchObject({ status: "requested" });
    run.handle("one", claim("c-2", 30));
    expect(run.park("one")).toMatchObject({ status: "claimed", claim: { attempt: 1 } });
  });

  it("is for failed runs alone", () => {
    for (const run of [given(parkCommand()), given(...released), given(...released, claim("c-1", 0))]) {
      expect(refusal(run, replay(20))).toEqual({ code: "not_failed" });
    }
  });
});

describe("a run as it is shown", () => {
  it.each<[string, RunCommand[], number]>([
    ["parked", [parkCommand()], 0],
    ["resuming", released, 0],
    ["resuming", [...released, claim("c-1", 0)], 1],
    ["resuming", [...released, claim("c-1", 0), fail("c-1", 1)], 1],
    ["resumed", [...released, claim("c-1", 0), complete("c-1", 1)], 1],
    ["failed", [...released, claim("c-1", 0), fail("c-1", 1, false)], 1],
  ])("is %s", (state, commands, attempts) => {
    const park: Park = given(...commands).park("one");
    expect(park.status === "unparked" ? undefined : runStateOf(park)).toBe(state);
    expect(park.status === "unparked" ? undefined : attemptsOf(park)).toBe(attempts);
  });
});

it("an event carries what readers filter by, and when", () => {
  const run = given(...released, claim("c-1", 10));
  expect(run.stored.at(-1)?.event.data).toMatchObject({
    driver: "bot",
    run_id: "run-1",
    park_id: "park-1",
    owner: "ann",
    at: formatInstant(10),
  });
});

it("a lease whose end cannot be read holds nothing", () => {
  const run = given(...released, claim("c-1", 10));
  const events = run.stored.map(({ sequence, event }) =>
    event.type === "claimed"
      ? { sequence, event: { ...event, data: { ...event.data, lease_until: "soon" } } }
      : { sequence, event },
  );
  expect(foldPark(events)).toMatchObject({ ok: true, park: { claim: { leaseUntilMs: 0 } } });
});

describe("what was said in a conversation", () => {
  const claim = (claimId: string, nowMs: number, owner?: string): RunCommand => ({
    ...{ type: "Claim", claimId, leaseMs: 1_000, maxAttempts: 3, nowMs },
    ...(owner === undefined ? {} : { owner }),
  });

  function received(): RunInMemory {
    const run = new RunInMemory();
    run.store("turn", turnReceived());
    return run;
  }

  it("may be claimed at once, and is from then on whoever's the driver is", () => {
    const run = received();
    expect(run.park("turn")).toMatchObject({
      status: "requested",
      parked: { interaction_ids: [], owner: "" },
    });
    expect(run.handle("turn", claim("c-1", 5, "ann"))).toMatchObject({ ok: true });
    expect(run.park("turn")).toMatchObject({ status: "claimed", parked: { owner: "ann", turn: {} } });
    run.handle("turn", {
      type: "Fail",
      claimId: "c-1",
      reason: "no",
      retry: false,
      maxAttempts: 3,
      nowMs: 6,
    });
    run.handle("turn", { type: "Replay", by: "ann", nowMs: 7 });
    expect(run.handle("turn", claim("c-2", 8, "eve"))).toMatchObject({
      events: [{ type: "claimed", data: { owner: "ann", attempt: 1 } }],
    });
  });

  it("is answered once, and only when nothing else of its run is held", () => {
    const run = received();
    run.handle("park", parkCommand());
    run.handle("park", { type: "RequestResume", nowMs: 1 });
    run.handle("park", claim("c-1", 2));
    expect(run.handle("turn", claim("c-2", 3, "ann"))).toMatchObject({ refusal: { code: "run_busy" } });
    run.handle("park", { type: "Complete", claimId: "c-1", nowMs: 4 });
    run.handle("turn", claim("c-2", 5, "ann"));
    run.handle("turn", { type: "Complete", claimId: "c-2", result: "hi", nowMs: 6 });
    expect(run.handle("turn", claim("c-3", 7, "ann"))).toMatchObject({ refusal: { code: "not_claimable" } });
    expect(run.park("turn")).toMatchObject({ status: "resumed" });
  });

  it("parks its run by its own claim", () => {
    const run = received();
    run.handle("turn", claim("c-1", 1, "ann"));
    const parked = run.handle("park", parkCommand({ fromClaim: "c-1", nowMs: 2 }));
    expect(parked).toMatchObject({ events: [{ type: "parked", data: { from_claim: "c-1" } }] });
    run.handle("turn", { type: "Complete", claimId: "c-1", parked: true, nowMs: 3 });
    const late = run.handle("other", parkCommand({ interactionIds: ["q-9"], fromClaim: "c-1", nowMs: 4 }));
    expect(late).toMatchObject({ refusal: { code: "lease_lost" } });
  });

  it("is not parked upon, and needs no request", () => {
    const run = received();
    expect(run.handle("turn", parkCommand())).toMatchObject({ refusal: { code: "idempotency_conflict" } });
    expect(run.handle("turn", { type: "RequestResume", nowMs: 1 })).toEqual({ ok: true, events: [] });
  });
});
