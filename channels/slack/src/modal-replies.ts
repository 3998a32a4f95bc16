import type {
  OutgoingNotification,
  OutgoingQuestion,
  ProviderRequest,
  SubmittedStep,
  WebhookReply,
} from "@interlude/channel-kit";
import type { FieldFault } from "@interlude/contract";
import type { JsonObject } from "@interlude/kernel";
import { faultyBlock, formOf } from "./modal.ts";
import { renderSlackStep, type StepOf } from "./render.ts";

const replied = (action: JsonObject): WebhookReply => ({
  ...{ status: 200, contentType: "application/json" },
  body: JSON.stringify(action),
});

/** Keeps the modal open, with each fault under its field. */
export function refuseSubmission(
  asked: OutgoingQuestion | OutgoingNotification,
  faults: readonly FieldFault[],
  step?: SubmittedStep,
): WebhookReply {
  const form = formOf(asked);
  const errors = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const block = faultyBlock(form, path, step?.first ?? 0);
    errors.set(block, [...(errors.get(block) ?? []), message]);
  }
  const told = Object.fromEntries([...errors].map(([block, messages]) => [block, messages.join("\n")]));
  return replied({ response_action: "errors", errors: told });
}

/** In the same place: so the stack of views, which holds three, never grows. */
export function renderStep(step: StepOf): WebhookReply {
  const view = renderSlackStep(step);
  return view === undefined ? { status: 200, body: "" } : replied({ response_action: "update", view });
}

/** A press of a button has no answer that changes the modal. The hash keeps a late one from undoing what came after. */
export function renderBack(step: StepOf, from: JsonObject | undefined): readonly ProviderRequest[] {
  const view = renderSlackStep(step);
  const { view_id, hash } = from ?? {};
  if (view === undefined || view_id === undefined || hash === undefined) return [];
  return [{ method: "views.update", body: { view_id, hash, view } }];
}
