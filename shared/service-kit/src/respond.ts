import { type FieldFault, problem, type ProblemCode } from "@interlude/contract";
import { ServiceFailure } from "@interlude/kernel";

const texts = new WeakMap<Response, string>();

/** The whole body of an answer that `json` made: writing it as it is spares the way through a web stream. */
export function textOf(response: Response): string | undefined {
  return texts.get(response);
}

/** A JSON answer; `headers` are added to the content type. */
export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const text = JSON.stringify(body);
  const response = new Response(text, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
  texts.set(response, text);
  return response;
}

export type Refused = {
  code: ProblemCode;
  detail: string;
  faults?: readonly FieldFault[];
  /** Members beside the standard ones, such as who answered. */
  extra?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
};

/** An RFC 9457 problem document. */
export function problemResponse(refused: Refused): Response {
  const body = problem(refused.code, refused.detail, refused.faults);
  return new Response(JSON.stringify({ ...body, ...refused.extra }), {
    status: body.status,
    headers: { "content-type": "application/problem+json", ...refused.headers },
  });
}

/** What is wrong with a request's body, parameters or headers: all of it. */
export function invalidRequest(
  faults: readonly FieldFault[],
  detail = "The request is not valid.",
): Response {
  return problemResponse({ code: "validation_failed", detail, faults });
}

export function tooManyWaits(): Response {
  const detail = "You have as many waiting requests open as are allowed.";
  return problemResponse({ code: "rate_limited", detail, headers: RETRY_SOON });
}

const RETRY_SOON = { "retry-after": "1" };

/** What a client is told of a failure: that it may try again, nothing of the inside. */
export function failureResponse(error: unknown): Response {
  if (error instanceof ServiceFailure && error.retry === "later") {
    const detail =
      error.code === "log_full"
        ? "The event log is full; its operator must make room."
        : error.code === "database_unavailable"
          ? "What is read from the database is not available for the moment."
          : "The service is not available for the moment.";
    return problemResponse({ code: "unavailable", detail, headers: RETRY_SOON });
  }
  const body = problem("unavailable", "Something went wrong here; it has been logged.");
  return new Response(JSON.stringify({ ...body, status: 500, title: "Internal error" }), {
    status: 500,
    headers: { "content-type": "application/problem+json" },
  });
}
