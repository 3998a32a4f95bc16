import { CAPS } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";
import {
  invalidRequest,
  json,
  problemResponse,
  type RequestContext,
  type Route,
} from "@interlude/service-kit";
import { type NotifyDeps, notifyUser } from "../application/notify-user.ts";

export function notifyDoor(deps: NotifyDeps): Route {
  return {
    door: "POST /api/notifications",
    body: "json",
    maxBytes: CAPS.NOTIFICATION_MAX_BYTES,
    handle: (context) => notify(deps, context),
  };
}

async function notify(deps: NotifyDeps, context: RequestContext): Promise<Response> {
  const { credential, trace, body } = context;
  if (credential === undefined)
    return problemResponse({ code: "unauthenticated", detail: "Notifying needs a credential." });
  const outcome = await notifyUser(deps, {
    subject: credential.subject,
    body,
    idempotencyKey: context.header("idempotency-key"),
    ...(trace === undefined ? {} : { trace }),
  });
  switch (outcome.kind) {
    case "sent":
      return json(outcome.isRepeat ? 200 : 202, { notification_id: outcome.id });
    case "invalid":
      return invalidRequest(outcome.faults, "The notification is not valid.");
    case "conflict": {
      const detail = "This key stands for another notification.";
      return problemResponse({ code: "idempotency_conflict", detail });
    }
    case "too_large": {
      const detail = `The notification as stored may have ${CAPS.EVENT_MAX_BYTES} bytes at most.`;
      return problemResponse({ code: "payload_too_large", detail });
    }
    default:
      return unreachable(outcome);
  }
}
