import { type FieldFault, parseJsonText } from "@interlude/contract";
import { type Json, ServiceFailure } from "@interlude/kernel";
import type { TraceContext } from "@interlude/event-log";
import { readVerifier, type Ticket, verifyDelivery, type Verifier } from "@interlude/secrets";
import { type AnswerDeps, answerQuestion } from "./answer-question.ts";
import { type CallbackRequest, readCallbackBody, repliesWithPage } from "./callback-body.ts";
import type { CallbackDeliveries, SignedDelivery } from "./callback-deliveries.ts";
import { typeCallbackForm } from "./callback-form.ts";
import { findCallbackQuestion, type OpenOrAnswered } from "./callback-question.ts";

export type CallbackDeps = AnswerDeps & {
  deliveries: CallbackDeliveries;
  secret: (name: string) => string | undefined;
};

export type IncomingCallback = CallbackRequest & {
  ticket: Ticket;
  header: (name: string) => string | undefined;
  trace?: TraceContext;
};

type Asked = OpenOrAnswered["asked"];

/** What came of a callback. `page`: whoever sent it looks at a browser. */
export type CallbackOutcome =
  | { kind: "none" | "early" | "unverified" | "secret_missing" | "unsupported_media_type" }
  | { kind: "answered" | "already_answered"; id: string; page: boolean }
  | { kind: "faults"; faults: readonly FieldFault[]; asked: Asked; page: boolean };

/**
 * Takes a callback in the contract's order: there at all, verified, answered before, well-formed, valid.
 * Nothing is consumed by what is refused, so that the right callback may still come.
 */
export async function takeCallback(deps: CallbackDeps, callback: IncomingCallback): Promise<CallbackOutcome> {
  const target = await findCallbackQuestion(deps.store, callback.ticket, deps.clock.nowMs());
  if (target.kind !== "question") return { kind: target.kind };
  const { state } = target;
  const { asked } = state;
  const verified = verify(deps, asked, callback);
  if (verified.kind !== "verified") return verified;

  const { verifier, delivery } = verified;
  const question = { answerFormat: asked.answer_format, ...(verifier === undefined ? {} : { verifier }) };
  const page = repliesWithPage(question, callback.contentType);
  if (state.status === "answered") return { kind: "already_answered", id: asked.interaction_id, page };

  const body = readCallbackBody(question, callback, {
    parseJson: parseJsonText,
    typeForm: (fields) => typeCallbackForm(asked, fields),
  });
  switch (body.kind) {
    case "unsupported_media_type":
      return { kind: body.kind };
    case "faults":
      return { kind: "faults", faults: body.faults, asked, page };
    case "answer":
      return once(deps, delivery, () => answer(deps, { callback, asked, page }, body.answer));
  }
}

type Verified =
  | { kind: "verified"; verifier?: Verifier; delivery?: SignedDelivery }
  | { kind: "unverified" | "secret_missing" };

function verify(deps: CallbackDeps, asked: Asked, { body, header }: IncomingCallback): Verified {
  if (asked.verifier === undefined) return { kind: "verified" };
  const verifier = readVerifier(asked.verifier);
  const secret = verifier === undefined ? undefined : deps.secret(verifier.config.secret_ref);
  if (verifier === undefined || secret === undefined || secret === "") return { kind: "secret_missing" };
  const headers = { get: (name: string) => header(name) ?? null };
  const verdict = verifyDelivery({ verifier, secret, headers, body, nowMs: deps.clock.nowMs() });
  if (!verdict.ok) return { kind: "unverified" };
  const { deliveryId } = verdict;
  if (deliveryId === undefined) return { kind: "verified", verifier };
  return {
    kind: "verified",
    verifier,
    delivery: { secret, deliveryId, interactionId: asked.interaction_id },
  };
}

/** A delivery is marked before its answer is stored, and the mark taken back when nothing came of it. */
async function once(
  { deliveries }: CallbackDeps,
  delivery: SignedDelivery | undefined,
  take: () => Promise<CallbackOutcome>,
): Promise<CallbackOutcome> {
  if (delivery === undefined) return take();
  const { interactionId: id } = delivery;
  if (!(await deliveries.claim(delivery))) return { kind: "already_answered", id, page: false };
  // When storing fails, or nobody knows whether it did, the mark stays: it lets the same question's retry in.
  const outcome = await take();
  // Where the question has its answer the mark stays too: the one that was quicker may have been this delivery.
  if (outcome.kind === "faults" || outcome.kind === "none") await deliveries.release(delivery);
  return outcome;
}

async function answer(
  deps: CallbackDeps,
  { callback: { trace }, asked, page }: { callback: IncomingCallback; asked: Asked; page: boolean },
  value: Json,
): Promise<CallbackOutcome> {
  const id = asked.interaction_id;
  const outcome = await answerQuestion(deps, {
    id,
    actor: { kind: "ticket", interactionId: id },
    via: "callback",
    answer: value,
    ...(trace === undefined ? {} : { trace }),
  });
  if (outcome.ok) return { kind: "answered", id, page };
  if ("refused" in outcome) {
    if (outcome.refused.code !== "invalid") return { kind: "none" };
    return { kind: "faults", faults: rooted(asked, page, outcome.refused.faults), asked, page };
  }
  const { code } = outcome.refusal;
  if (code === "already_answered") return { kind: code, id, page };
  if (code === "unavailable")
    throw new ServiceFailure("event_unreadable", { retry: "later", context: { id } });
  return { kind: "none" };
}

/** The whole body of an external callback is the answer, and so are a page's fields: their faults are rooted there. */
function rooted(asked: Asked, page: boolean, faults: readonly FieldFault[]): readonly FieldFault[] {
  if (asked.answer_format !== "external" && !page) return faults;
  return faults.map(({ path, message }) => ({ path: path.replace(/^\/answer/, ""), message }));
}
