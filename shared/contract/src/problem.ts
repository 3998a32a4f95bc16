import type { FieldFault } from "./parsed.ts";

/** Every code that an answer of ours can carry, with its status. */
export const PROBLEM_STATUS = {
  validation_failed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  already_answered: 409,
  expired: 410,
  cancelled: 410,
  failed: 410,
  idempotency_conflict: 409,
  lease_lost: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  rate_limited: 429,
  limit_reached: 429,
  delivery_failed: 502,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEM_STATUS;

/** Titles are for people and stay the same for a code; what happened this time is the detail. */
const TITLES: Readonly<Record<ProblemCode, string>> = {
  validation_failed: "The request is not valid",
  unauthenticated: "Credentials are missing or not valid",
  forbidden: "Not allowed",
  not_found: "Not found",
  method_not_allowed: "Method not allowed",
  already_answered: "Already answered",
  expired: "Expired",
  cancelled: "Cancelled",
  failed: "Failed",
  idempotency_conflict: "The id or idempotency key stands for another request",
  lease_lost: "The lease has run out",
  payload_too_large: "Too large",
  unsupported_media_type: "Unsupported media type",
  range_not_satisfiable: "Range not satisfiable",
  rate_limited: "Too many requests",
  limit_reached: "A limit is reached",
  delivery_failed: "The channel did not take it",
  unavailable: "Unavailable",
};

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEM_STATUS, code);
}

export const PROBLEM_CODES: readonly ProblemCode[] = Object.keys(PROBLEM_STATUS).filter(isProblemCode);

/** An RFC 9457 problem document. */
export type Problem = Readonly<{
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  errors?: readonly FieldFault[];
}>;

export function problem(code: ProblemCode, detail: string, faults?: readonly FieldFault[]): Problem {
  return {
    type: `urn:interlude:problem:${code}`,
    title: TITLES[code],
    status: PROBLEM_STATUS[code],
    detail,
    code,
    ...(faults === undefined ? {} : { errors: faults }),
  };
}
