import type { AskedData } from "@interlude/contract";
import type { Interaction } from "@interlude/domain";
import type { ResultOutcome } from "@interlude/service-kit";
import { describe, expect, it } from "vitest";
import { renderResolution } from "./render-resolution.ts";

const at = "2031-01-01T00:00:00.000Z";
const now = "2031-02-01T00:00:00.000Z";
const belonging = { interaction_id: "q-1", group_id: "g", asker: "ann", mode: "async", at } as const;
const asked: AskedData = {
  ...{ interaction_id: "q-1", asker: "ann", group_id: "g", question: "?", answer_format: "text" },
  ...{ format_payload: {}, mode: "async", created_at: at, timeout_at: "2031-01-02T00:00:00.000Z" },
  ...{ sensitive: false, fingerprint: "f" },
};
const answered: Interaction = {
  status: "answered",
  asked,
  answered: { ...belonging, answered_by: "bob", via: "door", answer: "x" },
};

function resultOf(answer: string | boolean | null, params?: Record<string, string>): ResultOutcome {
  const base = { interaction_id: "q-1", answered_by: "bob", answered_at: at } as const;
  return {
    kind: "result",
    result: { ...base, status: "answered", answer, ...(params === undefined ? {} : { params }) },
  };
}

describe("a resolution", () => {
  it.each<[string, Interaction, ResultOutcome | undefined, object | undefined]>([
    [
      "an answer",
      answered,
      resultOf("x"),
      { interaction_id: "q-1", status: "answered", answer: "x", answered_by: "bob", at },
    ],
    [
      "an answer with params",
      answered,
      resultOf(false, { reply_id: "no" }),
      {
        ...{ interaction_id: "q-1", status: "answered", answer: false },
        params: { reply_id: "no" },
        answered_by: "bob",
        at,
      },
    ],
    [
      "an answer that is nothing",
      answered,
      resultOf(null),
      { interaction_id: "q-1", status: "answered", answer: null, answered_by: "bob", at },
    ],
    [
      "an answer that was shredded",
      answered,
      { kind: "shredded" },
      {
        ...{ interaction_id: "q-1", status: "answered", answered_by: "bob", at },
        reason: expect.stringMatching(/no longer kept/) as string,
      },
    ],
    [
      "a deadline",
      { status: "expired", asked, expired: belonging },
      undefined,
      {
        interaction_id: "q-1",
        status: "expired",
        answer: { interaction_expired: true },
        at: asked.timeout_at,
      },
    ],
    [
      "a withdrawal with its reason",
      { status: "cancelled", asked, cancelled: { ...belonging, cancelled_by: "ann", reason: "moot" } },
      undefined,
      { interaction_id: "q-1", status: "cancelled", reason: "moot", at },
    ],
    [
      "a withdrawal without one",
      { status: "cancelled", asked, cancelled: { ...belonging, cancelled_by: "ann" } },
      undefined,
      { interaction_id: "q-1", status: "cancelled", at },
    ],
    [
      "a delivery that failed",
      { status: "failed", asked, failed: { ...belonging, reason: "no such number" } },
      undefined,
      { interaction_id: "q-1", status: "failed", reason: "no such number", at },
    ],
    [
      "a question that is not in the log any more",
      { status: "unasked" },
      undefined,
      {
        ...{ interaction_id: "q-1", status: "failed", at: now },
        reason: expect.stringMatching(/no longer in the log/) as string,
      },
    ],
    ["nothing yet", { status: "pending", asked }, undefined, undefined],
  ])("tells of %s", (_, state, outcome, told) => {
    expect(renderResolution("q-1", state, outcome, now)).toEqual(told);
  });
});
