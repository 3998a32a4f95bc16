import { CAPS } from "@interlude/contract";
import type { Json } from "@interlude/kernel";
import { z } from "zod";
import type { ClaimEnd } from "./own-claim.ts";

/** What came back of a continuation that was posted. */
export type PushReply =
  | { kind: "answered"; status: number; body: string }
  /** Success, with more of a body than is kept. */
  | { kind: "oversized"; status: number }
  | { kind: "unreachable"; reason: string };

const JsonText: z.ZodType<Json> = z.json();

/** Done, failed for good, or to be tried again. */
export function pushOutcome(reply: PushReply): ClaimEnd {
  if (reply.kind === "unreachable") return again(`the driver could not be reached: ${reply.reason}`);
  const { status } = reply;
  if (status >= 200 && status < 300) {
    const result = reply.kind === "answered" ? resultOf(reply.body) : undefined;
    return { type: "Complete", ...(result === undefined ? {} : { result }) };
  }
  if (status === 409 || status === 410) {
    return { type: "Fail", reason: `the driver answered ${status}`, retry: false };
  }
  if (status >= 300 && status < 400)
    return again(`the driver answered ${status}; redirects are not followed`);
  return again(`the driver answered ${status}`);
}

function again(reason: string): ClaimEnd {
  return { type: "Fail", reason: reason.slice(0, CAPS.REASON_MAX_CODE_POINTS), retry: true };
}

/** JSON as JSON, any other text as a text, nothing as nothing. */
function resultOf(body: string): Json | undefined {
  if (body === "") return undefined;
  try {
    const parsed = JsonText.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : body;
  } catch {
    return body;
  }
}
