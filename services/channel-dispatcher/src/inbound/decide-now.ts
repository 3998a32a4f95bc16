import {
  type Channel,
  chatMessages,
  type InboundSubmission,
  type InboundTap,
  type OutgoingNotification,
  type ProviderRequest,
  type SendOutcome,
  type WebhookReply,
} from "@interlude/channel-kit";
import { pause } from "../application/pause.ts";
import { decideSubmission, findForm, type FormOwner, type Submitted } from "./decide-submission.ts";
import { isLastStep } from "./form-steps.ts";
import { placeOfSaid } from "./known-questions.ts";
import type { InboundDeps } from "./inbound-work.ts";
import type { Received } from "./record-update.ts";

export type NowDeps = InboundDeps & Readonly<{ onSend: (channel: string, outcome: SendOutcome) => void }>;

const LOOK_EVERY_MS = 100;

/**
 * What a provider waits for, beside every queue: that a form opens, and what became of one that was sent. Whatever is
 * not decided in time stands in the log, and is decided later.
 */
export async function decideNow(
  deps: NowDeps,
  channel: Channel,
  { address, update, isNew }: Received & { isNew: boolean },
  withinMs: number,
): Promise<WebhookReply | undefined> {
  const signal = AbortSignal.timeout(Math.max(Math.round(withinMs), 0));
  if (update.kind === "tap" && update.choice === "form" && channel.renderForm !== undefined) {
    if (isNew) await openForm(deps, channel, { address, tap: update }, signal);
    return undefined;
  }
  if (update.kind !== "submission" || channel.refuseSubmission === undefined) return undefined;
  const submission = { address, submitted: update };
  if (update.step?.back !== undefined) {
    if (isNew) await Promise.race([pause(withinMs, signal), goBack(deps, channel, submission, signal)]);
    return undefined;
  }
  const late = pause(withinMs, signal).then(() => refused(channel, submission, tooLate(deps, update)));
  return Promise.race([late, replyTo(deps, channel, submission)]);
}

async function openForm(
  deps: NowDeps,
  channel: Channel,
  { address, tap }: { address: string; tap: InboundTap },
  signal: AbortSignal,
): Promise<void> {
  const owner = await untilKnown(
    () => findForm(deps, channel, placeOfSaid(channel, address, tap), tap.reference),
    signal,
  );
  // One that is over is told of by whoever holds the partition, as every other late tap.
  if (owner === undefined || (owner.kind === "question" && !owner.known.facts.isOpen)) return;
  const [request] = channel.renderForm?.(owner.asked, tap) ?? [];
  if (request === undefined) return;
  const outcome = await send(deps, channel, request, signal);
  if (outcome.kind === "sent") return;
  const told = channel.renderAcknowledge?.(tap, chatMessages(deps.language).formNotOpened) ?? [];
  for (const each of told) await send(deps, channel, each, signal);
}

/** A tap may outrun the receipt that tells where its question went. */
async function untilKnown(
  look: () => Promise<FormOwner | "wait" | undefined>,
  signal: AbortSignal,
): Promise<FormOwner | undefined> {
  for (;;) {
    const found = await look();
    if (found !== "wait") return found;
    if (signal.aborted) return undefined;
    await pause(LOOK_EVERY_MS, signal);
  }
}

async function send(
  { onSend }: NowDeps,
  channel: Channel,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const outcome = await channel.send(request, signal);
  onSend(channel.name, outcome);
  return outcome;
}

async function replyTo(
  deps: NowDeps,
  channel: Channel,
  submission: Submitted,
): Promise<WebhookReply | undefined> {
  const { submitted } = submission;
  const { step } = submitted;
  const outcome = await decideSubmission(deps, channel, submission);
  switch (outcome.kind) {
    case "answered":
    case "said":
      return undefined;
    case "faults":
      return channel.refuseSubmission?.(outcome.owner.asked, outcome.faults, step);
    case "step":
      return channel.renderStep?.(outcome.owner.asked, outcome.shown, submitted);
    case "lost":
      return refused(channel, submission, chatMessages(deps.language).formLost, outcome.owner);
    case "over":
      return refused(channel, submission, outcome.text, outcome.owner);
    case "wait":
      return refused(channel, submission, tooLate(deps, submitted));
    case "unknown":
      return refused(channel, submission, chatMessages(deps.language).failed);
  }
}

/** The step before, in place of this one; of a form that is over, this one with how it ended. */
async function goBack(
  deps: NowDeps,
  channel: Channel,
  submission: Submitted,
  signal: AbortSignal,
): Promise<void> {
  const { submitted } = submission;
  const outcome = await decideSubmission(deps, channel, submission);
  if (outcome.kind !== "step" && outcome.kind !== "over") return;
  const { page = 0, kept = [] } = submitted.step ?? {};
  const shown =
    outcome.kind === "step" ? outcome.shown : { page, kept, fields: submitted.fields, notice: outcome.text };
  for (const request of channel.renderBack?.(outcome.owner.asked, shown, submitted) ?? []) {
    await send(deps, channel, request, signal);
  }
}

/** It stands in the log: a whole form counts all the same, a step is only gone on from once it is sent again. */
function tooLate({ language }: NowDeps, { step }: InboundSubmission): string {
  const { sendAgain, sendStepAgain } = chatMessages(language);
  return step === undefined || isLastStep(step) ? sendAgain : sendStepAgain;
}

/** A form that stays open, with a word that is about no field of it. */
function refused(
  channel: Channel,
  { submitted }: Submitted,
  message: string,
  owner?: FormOwner,
): WebhookReply | undefined {
  const nobody: OutgoingNotification = { reference: "", recipient: "", message: "" };
  return channel.refuseSubmission?.(owner?.asked ?? nobody, [{ path: "", message }], submitted.step);
}
