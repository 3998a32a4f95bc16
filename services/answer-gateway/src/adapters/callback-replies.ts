import type { FieldFault, ProblemCode } from "@interlude/contract";
import { json, problemResponse } from "@interlude/service-kit";
import { PAGE_CSP } from "@interlude/forms";

const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};
const NO_CONTENT_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const DATA_HEADERS = { ...HEADERS, "content-security-policy": NO_CONTENT_CSP };

/** One reply for whatever is not there: which of the reasons it was, is nobody's to learn. */
export const notFound = () => json(404, { error: "not found" }, DATA_HEADERS);
export const unverified = () => json(401, { error: "not verified" }, DATA_HEADERS);
export const unavailable = () => json(503, { error: "unavailable" }, { ...DATA_HEADERS, "retry-after": "1" });
export const broken = () => json(500, { error: "internal error" }, DATA_HEADERS);
export const alreadyAnswered = () => json(200, { status: "already_answered" }, DATA_HEADERS);

export function tooMany(retryAfterSeconds: number): Response {
  const headers = { ...DATA_HEADERS, "retry-after": String(retryAfterSeconds) };
  return json(429, { error: "too many requests" }, headers);
}

/** The rest of what was sent is not read, so that the connection cannot be used again. */
export const tooLarge = () => json(413, { error: "too large" }, { ...DATA_HEADERS, connection: "close" });

export function answered(interactionId: string, requestId: string): Response {
  const headers = { ...DATA_HEADERS, "x-request-id": requestId };
  return json(200, { interaction_id: interactionId, status: "answered" }, headers);
}

export function refused(
  code: Extract<ProblemCode, "validation_failed" | "unsupported_media_type">,
  detail: string,
  requestId: string,
  faults?: readonly FieldFault[],
): Response {
  const headers = { ...DATA_HEADERS, "x-request-id": requestId };
  return problemResponse({ code, detail, headers, ...(faults === undefined ? {} : { faults }) });
}

export function page(html: string, status = 200): Response {
  const headers = {
    ...HEADERS,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": PAGE_CSP,
  };
  return new Response(html, { status, headers });
}
