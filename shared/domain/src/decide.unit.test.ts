import { formatInstant } from "@interlude/contract";
import { describe, expect, it } from "vitest";
import { askedFixture } from "./asked.fixture.ts";
import { type AnswerContent, decide, type InteractionCommand } from "./decide.ts";
import { evolve } from "./evolve.ts";
import { type Interaction, UNASKED } from "./interaction.ts";

const content: AnswerContent = { answer: true, answered_by: "bob", via: "door" };
const ask: InteractionCommand = { type: "Ask", asked: askedFixture() };
const answerAt = (nowMs: number, more: Partial<AnswerContent> = {}): InteractionCommand => ({
  type: "Answer",
  content: { ...content, ...more },
  nowMs,
});

/** What was stored so far, by the commands that were accepted. */
function given(...commands: InteractionCommand[]): Interaction {
  let state = UNASKED;
  for (const command of commands) {
    const decision = decide(command, state);
    if (decision.ok) for (const event of decision.events) state = evolve(state, event);
  }
  return state;
}

function refusalOf(command: InteractionCommand, state: Interaction) {
  const decision = decide(command, state);
  return decision.ok ? undefined : decision.refusal;
}

describe("asking", () => {
  it("opens a question", () => {
    expect(given(ask)).toMatchObject({ status: "pending", asked: { question: "Ship it?" } });
  });

  it("the same again changes nothing, whatever became of the question", () => {
    expect(decide(ask, given(ask))).toEqual({ ok: true, events: [] });
    expect(decide(ask, given(ask, answerAt(10)))).toEqual({ ok: true, events: [] });
  });

  it.each([
    ["other content", askedFixture({ fingerprint: "content-2" })],
    ["another subject", askedFixture({ asker: "eve" })],
  ])("under a known id with %s is a conflict that tells nothing of the first", (_, asked) => {
    expect(refusalOf({ type: "Ask", asked }, given(ask))).toEqual({ code: "idempotency_conflict" });
  });
});

describe("answering", () => {
  it("ends the question with the answer, also a falsy one", () => {
    for (const answer of [false, 0, "", null, [], {}]) {
      expect(given(ask, answerAt(10, { answer }))).toMatchObject({
        status: "answered",
        answered: { answer },
      });
    }
  });

  it("A-RES-3: a second answer is refused and the first stays", () => {
    const state = given(ask, answerAt(10));
    expect(refusalOf(answerAt(11, { answer: false }), state)).toEqual({
      code: "already_answered",
      answeredBy: "bob",
      answeredAt: formatInstant(10),
    });
    expect(given(ask, answerAt(10), answerAt(11, { answer: false }))).toMatchObject({
      answered: { answer: true },
    });
  });

  it("A-IDEM-2: the same request again is the same answer, with other content it is not", () => {
    const request = { subject: "bob", key: "k", fingerprint: "f" };
    const state = given(ask, answerAt(10, { request }));
    expect(decide(answerAt(11, { request }), state)).toEqual({ ok: true, events: [] });
    for (const other of [
      { ...request, fingerprint: "g" },
      { ...request, subject: "eve" },
      { ...request, key: "l" },
    ]) {
      expect(refusalOf(answerAt(11, { request: other }), state)).toMatchObject({ code: "already_answered" });
    }
  });

  it("is refused at the deadline, even before the scheduler has fired", () => {
    expect(given(ask, answerAt(999)).status).toBe("answered");
    expect(refusalOf(answerAt(1_000), given(ask))).toEqual({ code: "expired", at: formatInstant(1_000) });
  });

  it("of nothing is not found", () => {
    expect(refusalOf(answerAt(10), UNASKED)).toEqual({ code: "not_found" });
  });
});

describe("expiring", () => {
  it("ends an open question at its deadline", () => {
    expect(given(ask, { type: "Expire", nowMs: 1_000 })).toMatchObject({ status: "expired" });
  });

  it("too early is told, with the moment it is due", () => {
    expect(refusalOf({ type: "Expire", nowMs: 999 }, given(ask))).toEqual({
      code: "not_due",
      dueAtMs: 1_000,
    });
  });

  it("late never beats a recorded answer, and a second timer changes nothing", () => {
    expect(decide({ type: "Expire", nowMs: 5_000 }, given(ask, answerAt(999)))).toEqual({
      ok: true,
      events: [],
    });
    const expired = given(ask, { type: "Expire", nowMs: 1_000 });
    expect(decide({ type: "Expire", nowMs: 5_000 }, expired)).toEqual({ ok: true, events: [] });
  });

  it("of nothing is not found", () => {
    expect(refusalOf({ type: "Expire", nowMs: 1 }, UNASKED)).toEqual({ code: "not_found" });
  });
});

describe("cancelling and failing", () => {
  it("end an open question, with a reason if there is one", () => {
    const cancelled = given(ask, { type: "Cancel", cancelledBy: "ann", nowMs: 5, reason: "moot" });
    expect(cancelled).toMatchObject({
      status: "cancelled",
      cancelled: { cancelled_by: "ann", reason: "moot" },
    });
    expect(given(ask, { type: "Cancel", cancelledBy: "ann", nowMs: 5 })).not.toHaveProperty(
      "cancelled.reason",
    );
    const failed = given(ask, { type: "Fail", reason: "no such chat", nowMs: 5 });
    expect(failed).toMatchObject({ status: "failed", failed: { reason: "no such chat" } });
  });

  it.each([
    ["answered", answerAt(1), "already_answered"],
    ["expired", { type: "Expire", nowMs: 1_000 }, "expired"],
    ["cancelled", { type: "Cancel", cancelledBy: "ann", nowMs: 1 }, "cancelled"],
    ["failed", { type: "Fail", reason: "gone", nowMs: 1 }, "failed"],
  ] as const)("an %s question cannot be ended again", (_, end, code) => {
    const state = given(ask, end);
    const again: InteractionCommand[] = [
      { type: "Cancel", cancelledBy: "ann", nowMs: 2 },
      { type: "Fail", reason: "x", nowMs: 2 },
      answerAt(2),
    ];
    for (const command of again) expect(refusalOf(command, state)).toMatchObject({ code });
  });
});

describe("an end", () => {
  it("repeats of its question what readers filter by", () => {
    const state = given({ type: "Ask", asked: askedFixture({ audience: "group:ops" }) }, answerAt(10));
    expect(state).toMatchObject({
      answered: {
        interaction_id: "question-1",
        group_id: "group-1",
        asker: "ann",
        audience: "group:ops",
        mode: "sync",
      },
    });
  });
});
