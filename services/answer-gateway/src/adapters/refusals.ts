import type { InteractionRefusal } from "@interlude/domain";
import { unreachable } from "@interlude/kernel";
import { problemResponse } from "@interlude/service-kit";

export function notFound(): Response {
  return problemResponse({ code: "not_found", detail: "There is no such question." });
}

export function forbidden(detail: string): Response {
  return problemResponse({ code: "forbidden", detail });
}

/** The domain's no as a problem document. */
export function refusalResponse(refusal: InteractionRefusal): Response {
  switch (refusal.code) {
    case "not_found":
      return notFound();
    case "idempotency_conflict":
      return problemResponse({ code: "idempotency_conflict", detail: "This id stands for another request." });
    case "already_answered": {
      const extra = { answered_by: refusal.answeredBy, answered_at: refusal.answeredAt };
      return problemResponse({ code: "already_answered", detail: "This question has been answered.", extra });
    }
    case "expired":
      return problemResponse({ code: "expired", detail: `This question expired at ${refusal.at}.` });
    case "cancelled":
      return problemResponse({ code: "cancelled", detail: `This question was cancelled at ${refusal.at}.` });
    case "failed":
      return problemResponse({ code: "failed", detail: `This question failed at ${refusal.at}.` });
    case "undeliverable":
    case "not_due":
      return problemResponse({ code: "unavailable", detail: "This question is still open." });
    case "unavailable":
      return problemResponse({
        code: "unavailable",
        detail: "A newer version of the service must handle this question.",
        headers: { "retry-after": "1" },
      });
    default:
      return unreachable(refusal);
  }
}
