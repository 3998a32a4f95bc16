import { CAPS, parsePrefer } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";
import {
  invalidRequest,
  json,
  problemResponse,
  type RequestContext,
  type Route,
  tooManyWaits,
  type WaitSlots,
} from "@interlude/service-kit";
import { awaitNotification } from "../application/await-notification.ts";
import { type NotifyDeps, type NotifyOutcome, notifyUser } from "../application/notify-user.ts";

export type NotifyDoorDeps = NotifyDeps & {
  waitSlots: WaitSlots;
  /** Aborted when this process stops: nobody waits on. */
  stopping: AbortSignal;
};

export function notifyDoor(deps: NotifyDoorDeps): Route {
  return {
    door: "POST /api/notifications",
    body: "json",
    maxBytes: CAPS.NOTIFICATION_MAX_BYTES,
    handle: (context) => notify(deps, context),
  };
}

async function notify(deps: NotifyDoorDeps, context: RequestContext): Promise<Response> {
  const { credential, trace, body } = context;
  if (credential === undefined)
    return problemResponse({ code: "unauthenticated", detail: "Notifying needs a credential." });
  const isHeld = parsePrefer(context.header("prefer")).delivered;
  const slot = isHeld ? deps.waitSlots.take(context.actor) : undefined;
  if (slot === "none_left") return tooManyWaits();
  try {
    const outcome = await notifyUser(deps, {
      subject: credential.subject,
      body,
      idempotencyKey: context.header("idempotency-key"),
      ...(trace === undefined ? {} : { trace }),
    });
    return isHeld && outcome.kind === "sent" && outcome.isOverChannel
      ? await toldFate(deps, context, outcome)
      : responseTo(outcome);
  } finally {
    slot?.release();
  }
}

/** `Prefer: delivered`: told once the provider has taken it, or that it did not. */
async function toldFate(
  { notifications, stopping }: NotifyDoorDeps,
  { signal }: RequestContext,
  sent: Extract<NotifyOutcome, { kind: "sent" }>,
): Promise<Response> {
  const fate = await awaitNotification(
    { notifications, signal: AbortSignal.any([signal, stopping]) },
    sent.id,
  );
  if (fate?.kind !== "failed") return responseTo(sent);
  const extra = { notification_id: sent.id };
  return problemResponse({ code: "delivery_failed", detail: fate.reason, extra });
}

function responseTo(outcome: NotifyOutcome): Response {
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
