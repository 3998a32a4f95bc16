import { CAPS } from "@interlude/contract";
import { type ConstantPages, constantPages, PAGE_CSP, renderFormPage, toFields } from "@interlude/forms";
import { type Keyring, newNonce, openTicket, type Ticket } from "@interlude/secrets";
import {
  isIdentity,
  type Logger,
  mediaTypeOf,
  publicJson,
  publicPage,
  rateKey,
  type RateLimiter,
  readBody,
  type RequestContext,
  type Route,
} from "@interlude/service-kit";
import { readSubmission, type SentForm, type Shown } from "./page-submission.ts";

export type FormPageDeps = Readonly<{
  keyring: Keyring;
  limiter: RateLimiter;
  /** What the pages are written in. */
  language: string;
  logger: Logger;
  /** The form of a notification that is still kept. */
  find: (ticket: Ticket) => Promise<SentForm | undefined>;
  /** Keeps what was put in, once for each `submission`, as what the person said. */
  say: (form: SentForm, text: string, submission: string) => Promise<void>;
}>;

const notFound = (): Response => publicJson(404, { error: "not found" });
const tooLarge = (): Response => publicJson(413, { error: "too large" }, { connection: "close" });
/** Of one view of the page: sent twice from there, a form is one submission. */
const VIEW = /^[A-Za-z0-9_-]{8,64}$/;
const VIEW_PARAM = "view";

/** The page of a form that nobody waits for, where its medium has none of its own: open for as long as it is kept. */
export function formPageDoors(deps: FormPageDeps): Route[] {
  const pages = constantPages(deps.language);
  const common = { query: "unchecked", constant: true } as const;
  return [
    {
      ...common,
      door: "GET /api/notifications/form/:token",
      body: "none",
      handle: (context) => guarded(deps, context, (form) => Promise.resolve(shown(deps, form, newNonce()))),
    },
    {
      ...common,
      door: "POST /api/notifications/form/:token",
      body: "raw",
      handle: async (context) => {
        const read = await readBody(context.incoming, CAPS.BODY_MAX_BYTES);
        if (!read.ok) return tooLarge();
        return guarded(deps, context, (form) => taken(deps, context, { form, body: read.bytes, pages }));
      },
    },
  ];
}

/** Even what breaks is told by a constant reply; what it was stands in the log, without the token. */
async function guarded(
  deps: FormPageDeps,
  context: RequestContext,
  use: (form: SentForm) => Promise<Response>,
): Promise<Response> {
  try {
    const ticket = openTicket(deps.keyring, "form", context.param("token"));
    const form = ticket === undefined ? undefined : await deps.find(ticket);
    const method = context.incoming.method ?? "";
    // What leads nowhere counts by where it comes from; pages apart from what is sent.
    const key =
      ticket === undefined || form === undefined
        ? `address ${rateKey(context.clientAddress)}`
        : `${method === "POST" ? "answer" : "page"} ${ticket.id} ${ticket.nonce}`;
    const retryAfter = deps.limiter.take(key);
    if (retryAfter !== undefined) {
      return publicJson(429, { error: "too many requests" }, { "retry-after": String(retryAfter) });
    }
    return form === undefined ? notFound() : await use(form);
  } catch (error) {
    deps.logger.warn("a form's page failed", { reason: String(error) });
    return publicJson(503, { error: "unavailable" }, { "retry-after": "1" });
  }
}

function shown({ language }: FormPageDeps, form: SentForm, view: string, refused?: Shown): Response {
  const { schema, data, pages, message, media } = form;
  const page = renderFormPage({
    model: toFields(schema, {
      ...(data === undefined ? {} : { data }),
      ...(pages === undefined ? {} : { pages }),
    }),
    ...{ question: message, language, action: `?${VIEW_PARAM}=${view}` },
    ...(media === undefined ? {} : { media }),
    ...(refused === undefined ? {} : { submitted: refused.entries, faults: refused.faults }),
  });
  return publicPage(page, PAGE_CSP, refused === undefined ? 200 : 400);
}

async function taken(
  deps: FormPageDeps,
  context: RequestContext,
  { form, body, pages }: { form: SentForm; body: Uint8Array; pages: ConstantPages },
): Promise<Response> {
  const type = mediaTypeOf(context.header("content-type"));
  // An empty body has no media type that could be wrong: its only box was left unticked.
  const isWrongType = body.byteLength > 0 && type !== "application/x-www-form-urlencoded";
  if (isWrongType || !isIdentity(context.header("content-encoding"))) {
    return publicJson(415, { error: "unsupported media type" });
  }
  const view = viewOf(context);
  const submission = readSubmission(form, body);
  if (!submission.ok) return shown(deps, form, view ?? newNonce(), submission);
  await deps.say(form, submission.text, view ?? submission.digest);
  return publicPage(pages.done, PAGE_CSP);
}

function viewOf({ incoming }: RequestContext): string | undefined {
  const { searchParams } = new URL(incoming.url ?? "", "http://form");
  const view = searchParams.get(VIEW_PARAM) ?? "";
  return VIEW.test(view) ? view : undefined;
}
