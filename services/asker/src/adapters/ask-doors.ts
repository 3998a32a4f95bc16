import { type AskedData, CAPS, formatInstant, parsePrefer, parseEmptyBody } from "@interlude/contract";
import { deliveryView, evolve, type KnownInteraction } from "@interlude/domain";
import { mintReservation, newNonce } from "@interlude/secrets";
import {
  callbackUrl,
  externalLink,
  invalidRequest,
  json,
  problemResponse,
  type RequestContext,
  resultFor,
  type Route,
  tooManyWaits,
  type Waiters,
  type WaitSlot,
  type WaitSlots,
} from "@interlude/service-kit";
import { type AskDeps, type AskOutcome, askQuestion } from "../application/ask-question.ts";
import { awaitDelivery } from "../application/await-delivery.ts";
import type { DeliveryWatch } from "./delivery-watch.ts";

export type AskDoorDeps = AskDeps & { waiters: Waiters; waitSlots: WaitSlots; deliveries: DeliveryWatch };

export function askDoors(deps: AskDoorDeps): Route[] {
  return [
    {
      door: "POST /api/interactions",
      body: "json",
      maxBytes: CAPS.ASK_MAX_BYTES,
      handle: (context) => ask(deps, context),
    },
    {
      door: "POST /api/interactions/reservations",
      body: "optional",
      handle: (context) => reserve(deps, context),
    },
  ];
}

type Listening = ReturnType<Waiters["listen"]>;
/** An object, since the id is known, and a place taken, only while the question is being asked. */
type Wait = {
  ms: number;
  listening?: Listening;
  slot?: WaitSlot;
  /** Of a request that wants to know whether the provider took it. */
  delivery?: ReturnType<DeliveryWatch["listen"]>;
};

async function ask(deps: AskDoorDeps, context: RequestContext): Promise<Response> {
  const { credential } = context;
  if (credential === undefined)
    return problemResponse({ code: "unauthenticated", detail: "Asking needs a credential." });
  const { waitSeconds = 0, delivered } = parsePrefer(context.header("prefer"));
  const wait: Wait = { ms: waitSeconds * 1_000 };
  const isHeldFor = ({ mode, channel }: AskedData) =>
    (mode === "sync" && wait.ms > 0) || (delivered && channel !== undefined);
  const takeWait = (asked: AskedData) => {
    if (!isHeldFor(asked) || wait.slot !== undefined) return true;
    const slot = deps.waitSlots.take(context.actor);
    if (slot === "none_left") return false;
    wait.slot = slot;
    return true;
  };
  try {
    const outcome = await askQuestion(deps, {
      subject: credential.subject,
      groups: credential.groups,
      isOperator: credential.roles.includes("operator"),
      ...(credential.run === undefined ? {} : { run: credential.run }),
      body: context.body,
      idempotencyKey: context.header("idempotency-key"),
      ...(context.trace === undefined ? {} : { trace: context.trace }),
      // Listening starts before the question is stored, so that the quickest answer is not missed.
      onIdentified: (id) => {
        if (wait.ms > 0) wait.listening = deps.waiters.listen(id);
        if (delivered) wait.delivery = deps.deliveries.listen(id);
      },
      takeWait,
    });
    if (outcome.kind !== "asked") return refusedResponse(outcome);
    // A repeat is answered whatever the caps say: without a place it is told the present status at once.
    const { asked, status } = outcome.state;
    const isHeld = status !== "pending" || takeWait(asked);
    if (!isHeld) return await askedResponse(deps, context, outcome, undefined);
    const state = await toldDelivery(deps, context, outcome.state, wait);
    if (state.status === "failed" && state.failed.delivery === true && delivered) {
      const extra = { interaction_id: asked.interaction_id };
      return problemResponse({ code: "delivery_failed", detail: state.failed.reason, extra });
    }
    return await askedResponse(
      deps,
      context,
      { ...outcome, state },
      asked.mode === "sync" ? wait : undefined,
    );
  } finally {
    wait.listening?.stop();
    wait.delivery?.stop();
    wait.slot?.release();
  }
}

/** As it stands once the provider took it or did not, where the request asks for that. */
async function toldDelivery(
  { store }: AskDoorDeps,
  { signal }: RequestContext,
  state: KnownInteraction,
  { delivery }: Wait,
): Promise<KnownInteraction> {
  if (delivery === undefined || state.asked.channel === undefined) return state;
  return awaitDelivery({ store, changes: delivery, signal }, state);
}

async function askedResponse(
  deps: AskDoorDeps,
  context: RequestContext,
  { state: asked, sequence, isRepeat }: Extract<AskOutcome, { kind: "asked" }>,
  held: Wait | undefined,
): Promise<Response> {
  const { listening, ms = 0 } = held ?? {};
  const applied = listening === undefined ? {} : { "preference-applied": `wait=${ms / 1_000}` };
  const state = listening === undefined ? asked : await endOf(asked, listening, ms, context.signal);
  if (listening !== undefined && state.status !== "pending") {
    const outcome = await resultFor(deps.answerKeys, state, context.actor);
    if (outcome.kind === "result")
      return json(200, outcome.result, { "cache-control": "no-store", ...applied });
  }
  const location = `/api/interactions/${state.asked.interaction_id}`;
  return json(isRepeat ? 200 : 201, receipt(deps, state, sequence), { location, ...applied });
}

async function endOf(
  asked: KnownInteraction,
  listening: Listening,
  waitMs: number,
  signal: AbortSignal,
): Promise<KnownInteraction> {
  if (asked.status !== "pending") return asked;
  const ended = await listening.ended(waitMs, signal);
  if (ended === undefined || "unknownType" in ended.entry) return asked;
  const state = evolve(asked, ended.entry);
  return state.status === "unasked" ? asked : state;
}

function receipt(deps: AskDoorDeps, { asked, status, delivery }: KnownInteraction, sequence: number) {
  const link = asked.answer_format === "external" ? externalLink(deps.links, asked) : undefined;
  return {
    interaction_id: asked.interaction_id,
    group_id: asked.group_id,
    status,
    mode: asked.mode,
    answer_format: asked.answer_format,
    created_at: asked.created_at,
    timeout_at: asked.timeout_at,
    ...(asked.expiry_at === undefined ? {} : { expiry_at: asked.expiry_at }),
    ...(link === undefined ? {} : { link }),
    ...(asked.channel === undefined ? {} : { delivery: deliveryView(delivery) }),
    sequence,
  };
}

function refusedResponse(outcome: Exclude<AskOutcome, { kind: "asked" }>): Response {
  switch (outcome.kind) {
    case "invalid":
      return invalidRequest(outcome.faults, "The question is not valid.");
    case "not_found":
      return problemResponse({ code: "not_found", detail: "There is no such reservation." });
    case "conflict":
      return problemResponse({
        code: "idempotency_conflict",
        detail: "This id or key stands for another request.",
      });
    case "too_large": {
      const detail = `The question as stored may have ${CAPS.EVENT_MAX_BYTES} bytes at most.`;
      return problemResponse({ code: "payload_too_large", detail });
    }
    case "limit_reached": {
      const detail = `You have ${outcome.cap} open questions, which is the most allowed.`;
      return problemResponse({ code: "limit_reached", detail, headers: { "retry-after": "5" } });
    }
    case "queue_full": {
      const detail = `${outcome.cap} questions wait for this person, which is the most allowed.`;
      return problemResponse({ code: "limit_reached", detail, headers: { "retry-after": "5" } });
    }
    case "too_many_waits":
      return tooManyWaits();
    case "unavailable":
      return problemResponse({
        code: "unavailable",
        detail: "A newer version of the service must handle this question.",
        headers: { "retry-after": "1" },
      });
  }
}

/** A callback URL before its question: the id proves itself, so that nothing need be stored. */
function reserve(deps: AskDoorDeps, context: RequestContext): Response {
  const parsed = parseEmptyBody(context.body);
  if (!parsed.ok) return invalidRequest(parsed.faults);
  const { keyring, baseUrl } = deps.links;
  if (baseUrl === undefined) {
    const faults = [
      { path: "", message: "a callback needs a public address: set INTERACTIONS_PUBLIC_BASE_URL" },
    ];
    return invalidRequest(faults, "There is no public address.");
  }
  const subject = context.credential?.subject ?? "";
  const reservation = mintReservation(keyring, { subject, nowMs: deps.clock.nowMs(), nonce: newNonce() });
  const body = {
    interaction_id: reservation.id,
    callback_url: callbackUrl({ keyring, baseUrl }, reservation.id, reservation),
    expires_at: formatInstant(reservation.expiresAtMs),
  };
  return json(201, body);
}
