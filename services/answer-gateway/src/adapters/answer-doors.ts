import { idempotencyKeyFault, parseAnswerBody, parseCancelBody } from "@interlude/contract";
import { canonicalJson, type Json, sha256Base64Url } from "@interlude/kernel";
import type { Actor } from "@interlude/domain";
import { invalidRequest, json, type RequestContext, type Route } from "@interlude/service-kit";
import { type AnswerDeps, answerQuestion, type AnswerRefused } from "../application/answer-question.ts";
import { actorName } from "../application/actor-name.ts";
import { cancelQuestion } from "../application/cancel-question.ts";
import { forbidden, notFound, refusalResponse } from "./refusals.ts";

export function answerDoors(deps: AnswerDeps): Route[] {
  return [
    { door: "POST /api/interactions/:id/answer", body: "json", handle: (context) => answer(deps, context) },
    {
      door: "POST /api/interactions/:id/cancel",
      body: "optional",
      handle: (context) => cancel(deps, context),
    },
  ];
}

async function answer(deps: AnswerDeps, context: RequestContext): Promise<Response> {
  const { body, actor, trace } = context;
  const id = context.param("id");
  const parsed = parseAnswerBody(body);
  const key = context.header("idempotency-key");
  const wrongKey = idempotencyKeyFault(key);
  if (wrongKey !== undefined) return invalidRequest([wrongKey]);
  // An ill-formed body is told only of a question that is there and open: its order comes after theirs.
  const outcome = await answerQuestion(deps, {
    id,
    actor,
    via: "door",
    answer: parsed.ok ? parsed.value.answer : null,
    ...(parsed.ok ? {} : { faults: parsed.faults }),
    ...(parsed.ok && parsed.value.params !== undefined ? { params: parsed.value.params } : {}),
    ...(key === undefined ? {} : { request: requestOf(actor, key, body) }),
    ...(trace === undefined ? {} : { trace }),
  });
  if (!outcome.ok)
    return "refused" in outcome ? refusedResponse(outcome.refused) : refusalResponse(outcome.refusal);
  const { state, sequence } = outcome;
  if (state.status !== "answered") return notFound();
  const { answered_by, at } = state.answered;
  return json(200, { interaction_id: id, status: "answered", answered_by, answered_at: at, sequence });
}

function refusedResponse(refused: AnswerRefused): Response {
  switch (refused.code) {
    case "not_found":
      return notFound();
    case "forbidden":
      return forbidden("Only those this question is addressed to may answer it.");
    case "answered_elsewhere":
      return invalidRequest(
        [{ path: "/answer", message: "an external question is answered through its link, not here" }],
        "An external question is answered by its callback.",
      );
    case "invalid":
      return invalidRequest(refused.faults, "The answer does not fit.");
  }
}

async function cancel(deps: AnswerDeps, context: RequestContext): Promise<Response> {
  const parsed = parseCancelBody(context.body);
  if (!parsed.ok) return invalidRequest(parsed.faults);
  const id = context.param("id");
  const { reason } = parsed.value;
  const outcome = await cancelQuestion(deps, {
    id,
    actor: context.actor,
    ...(reason === undefined ? {} : { reason }),
    ...(context.trace === undefined ? {} : { trace: context.trace }),
  });
  if (outcome.ok) return json(200, { interaction_id: id, status: "cancelled", sequence: outcome.sequence });
  if ("refusal" in outcome) return refusalResponse(outcome.refusal);
  return outcome.refused.code === "not_found"
    ? notFound()
    : forbidden("Its asker or an operator may cancel a question.");
}

function requestOf(actor: Actor, key: string, body: Json) {
  return {
    subject: actorName(actor),
    key: sha256Base64Url(key),
    fingerprint: sha256Base64Url(canonicalJson(body)),
  };
}
