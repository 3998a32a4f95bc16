import { CAPS } from "@interlude/contract";
import { type ConstantPages, decodeFields, type FormEntries } from "@interlude/forms";
import { type Clock, ServiceFailure, unreachable } from "@interlude/kernel";
import { type Keyring, openTicket, type Ticket } from "@interlude/secrets";
import {
  type Logger,
  rateKey,
  type RateLimiter,
  readBody,
  type RequestContext,
  type Route,
} from "@interlude/service-kit";
import { type CallbackDeps, type CallbackOutcome, takeCallback } from "../application/callback-take.ts";
import { renderCallbackForm } from "../application/callback-form.ts";
import { findCallbackQuestion, type OpenOrAnswered } from "../application/callback-question.ts";
import {
  alreadyAnswered,
  answered,
  broken,
  notFound,
  page,
  refused,
  tooLarge,
  tooMany,
  unavailable,
  unverified,
} from "./callback-replies.ts";

export type CallbackDoorDeps = CallbackDeps & {
  clock: Clock;
  keyring: Keyring;
  limiter: RateLimiter;
  pages: ConstantPages;
  /** What the pages are written in. */
  language: string;
  logger: Logger;
};

/** The public doors that a ticket opens: a page that changes nothing, and the answer. */
export function callbackDoors(deps: CallbackDoorDeps): Route[] {
  return [
    {
      door: "GET /api/interactions/callback/:ticket",
      body: "none",
      constant: true,
      handle: (context) => guarded(deps, context, show),
    },
    {
      door: "POST /api/interactions/callback/:ticket",
      body: "raw",
      constant: true,
      handle: (context) => guarded(deps, context, take),
    },
  ];
}

type Handler = (deps: CallbackDoorDeps, context: RequestContext) => Promise<Response>;

/** Even what breaks is told by a constant reply; what it was stands in the log, without the ticket. */
async function guarded(deps: CallbackDoorDeps, context: RequestContext, handler: Handler): Promise<Response> {
  try {
    return await handler(deps, context);
  } catch (error) {
    if (error instanceof ServiceFailure && error.retry === "later") {
      deps.logger.warn("callback failed", { code: error.code, reason: error.message });
      return unavailable();
    }
    deps.logger.error("callback broke", { stack: error instanceof Error ? error.stack : String(error) });
    return broken();
  }
}

/** The ticket, if it proves itself and its holder is not too many. */
function admit(
  deps: CallbackDoorDeps,
  context: RequestContext,
): { ok: true; ticket: Ticket } | { ok: false; response: Response } {
  const ticket = openTicket(deps.keyring, "callback", context.param("ticket"));
  if (ticket === undefined) return { ok: false, response: nothingThere(deps, context) };
  // Pages are counted apart: a scanner that opens one again and again leaves the person's answer its room.
  const kind = context.incoming.method === "POST" ? "answer" : "page";
  const retryAfter = deps.limiter.take(`${kind} ${ticket.id} ${ticket.nonce}`);
  return retryAfter === undefined ? { ok: true, ticket } : { ok: false, response: tooMany(retryAfter) };
}

/** Forged, unknown and dead tickets count together, by where they come from. */
function nothingThere(deps: CallbackDoorDeps, context: RequestContext): Response {
  const retryAfter = deps.limiter.take(`address ${rateKey(context.clientAddress)}`);
  return retryAfter === undefined ? notFound() : tooMany(retryAfter);
}

async function show(deps: CallbackDoorDeps, context: RequestContext): Promise<Response> {
  if (queryOf(context).length > CAPS.BODY_MAX_BYTES) return tooLarge();
  const admitted = admit(deps, context);
  if (!admitted.ok) return admitted.response;
  const target = await findCallbackQuestion(deps.store, admitted.ticket, deps.clock.nowMs());
  // A program answers where a verifier is bound: there is no page for people in any state.
  if (target.kind !== "question" || target.state.asked.verifier !== undefined)
    return nothingThere(deps, context);
  return page(pageOf(deps, target.state));
}

function pageOf({ pages, language }: CallbackDoorDeps, { status, asked }: OpenOrAnswered): string {
  if (status === "answered") return pages.done;
  switch (asked.answer_format) {
    case "confirm":
      return pages.confirm;
    case "external":
      return pages.externalConfirm;
    case "text":
    case "select":
      return pages.replyInChat;
    case "form":
      return renderCallbackForm(asked, language);
    default:
      return unreachable(asked.answer_format);
  }
}

async function take(deps: CallbackDoorDeps, context: RequestContext): Promise<Response> {
  const query = queryOf(context);
  if (query.length > CAPS.BODY_MAX_BYTES) return tooLarge();
  const read = await readBody(context.incoming, CAPS.BODY_MAX_BYTES);
  if (!read.ok) return tooLarge();
  const admitted = admit(deps, context);
  if (!admitted.ok) return admitted.response;
  const outcome = await takeCallback(deps, {
    ticket: admitted.ticket,
    contentType: context.header("content-type") ?? null,
    contentEncoding: context.header("content-encoding") ?? null,
    body: read.bytes,
    query,
    header: (name) => context.header(name),
    ...(context.trace === undefined ? {} : { trace: context.trace }),
  });
  return reply(deps, context, outcome, read.bytes);
}

function reply(
  deps: CallbackDoorDeps,
  context: RequestContext,
  outcome: CallbackOutcome,
  body: Uint8Array,
): Response {
  switch (outcome.kind) {
    case "none":
      return nothingThere(deps, context);
    case "early":
      return unavailable();
    case "unverified":
      return unverified();
    case "secret_missing":
      deps.logger.error("a callback cannot be verified: its verifier or secret is missing");
      return unavailable();
    case "already_answered":
      return outcome.page ? page(deps.pages.alreadyAnswered) : alreadyAnswered();
    case "answered":
      return outcome.page ? page(deps.pages.done) : answered(outcome.id, context.requestId);
    case "unsupported_media_type":
      return refused(outcome.kind, "This callback does not take that type of body.", context.requestId);
    case "faults":
      return outcome.page
        ? page(pageAgain(deps, outcome, body), 400)
        : refused("validation_failed", "The answer does not fit.", context.requestId, outcome.faults);
    default:
      return unreachable(outcome);
  }
}

type Faults = Extract<CallbackOutcome, { kind: "faults" }>;

/** A form with its faults and what was typed; the other pages have nothing that could be typed wrong. */
function pageAgain(deps: CallbackDoorDeps, { asked, faults }: Faults, body: Uint8Array): string {
  if (asked.answer_format !== "form") return pageOf(deps, { status: "pending", asked });
  return renderCallbackForm(asked, deps.language, { fields: fieldsOf(body), faults });
}

function fieldsOf(body: Uint8Array): FormEntries {
  const decoded = decodeFields(Buffer.from(body).toString("utf8"));
  return decoded.ok ? decoded.value : [];
}

/** As it came, without its question mark; percent-encoded, and so as many bytes as characters. */
function queryOf({ incoming }: RequestContext): string {
  const url = incoming.url ?? "";
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}
