import type { FieldFault, ProblemCode } from "@interlude/contract";
import { PAGE_CSP } from "@interlude/forms";
import { problemResponse, PUBLIC_DATA_HEADERS, publicJson, publicPage } from "@interlude/service-kit";

/** One reply for whatever is not there: which of the reasons it was, is nobody's to learn. */
export const notFound = () => publicJson(404, { error: "not found" });
export const unverified = () => publicJson(401, { error: "not verified" });
export const unavailable = () => publicJson(503, { error: "unavailable" }, { "retry-after": "1" });
export const broken = () => publicJson(500, { error: "internal error" });
export const alreadyAnswered = () => publicJson(200, { status: "already_answered" });

export function tooMany(retryAfterSeconds: number): Response {
  return publicJson(429, { error: "too many requests" }, { "retry-after": String(retryAfterSeconds) });
}

/** The rest of what was sent is not read, so that the connection cannot be used again. */
export const tooLarge = () => publicJson(413, { error: "too large" }, { connection: "close" });

export function answered(interactionId: string, requestId: string): Response {
  return publicJson(
    200,
    { interaction_id: interactionId, status: "answered" },
    { "x-request-id": requestId },
  );
}

export function refused(
  code: Extract<ProblemCode, "validation_failed" | "unsupported_media_type">,
  detail: string,
  requestId: string,
  faults?: readonly FieldFault[],
): Response {
  const headers = { ...PUBLIC_DATA_HEADERS, "x-request-id": requestId };
  return problemResponse({ code, detail, headers, ...(faults === undefined ? {} : { faults }) });
}

export const page = (html: string, status = 200): Response => publicPage(html, PAGE_CSP, status);
