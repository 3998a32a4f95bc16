import { type Channel, fillNotice, type InboundSubmission } from "@interlude/channel-kit";
import type { HeldPartition } from "../ports.ts";
import { decideSubmission, type FormOwner, type SubmissionOutcome } from "./decide-submission.ts";
import { isLastStep } from "./form-steps.ts";
import type { InboundDeps } from "./inbound-work.ts";
import { placeOfSaid } from "./known-questions.ts";

type Came = Readonly<{ address: string; submitted: InboundSubmission; canWait: boolean }>;

/** A submission of a medium's own form, in the lane of its conversation; where the provider waited, a second time. */
export async function handleSubmission(
  deps: InboundDeps,
  held: HeldPartition,
  came: Came,
): Promise<"done" | "again"> {
  const { channel } = held;
  const { step } = came.submitted;
  // It is kept until the last one is sent, and what comes of it the person has been shown.
  if (step !== undefined && !isLastStep(step)) return "done";
  const outcome = await decideSubmission(deps, channel, came);
  switch (outcome.kind) {
    case "answered":
    case "step":
    case "lost":
      return "done";
    case "said":
      if (!(await enter(deps, channel, came, outcome.text))) deps.onIgnored(channel.name, "no_route");
      return "done";
    case "over":
    case "faults":
      // What the form itself has told is not told once more.
      if (channel.refuseSubmission === undefined) await follow(deps, held, came, outcome);
      return "done";
    case "wait":
    case "unknown":
      if (outcome.kind === "wait" && came.canWait) return "again";
      deps.onIgnored(channel.name, "unknown_question");
      return "done";
  }
}

/** Gives what was put in to the conversation; `false`: nobody takes it. */
async function enter(
  { talk }: InboundDeps,
  channel: Channel,
  { address, submitted }: Came,
  text: string,
): Promise<boolean> {
  const { from, view } = submitted;
  const place = placeOfSaid(channel, address, submitted);
  // A form that is open is sent once, however often: where that took long, the person was told to send it again.
  const updateId = view === undefined ? submitted.updateId : `view ${view}`;
  return (await talk.enter(channel.name, { ...place, updateId, from, text })) === "entered";
}

type Unfit = Extract<SubmissionOutcome, { kind: "over" | "faults" }>;

/** As with every reply: what comes too late goes to the conversation, what does not fit is told or goes there too. */
async function follow(deps: InboundDeps, held: HeldPartition, came: Came, outcome: Unfit): Promise<void> {
  const { channel, outbox } = held;
  const { address } = came;
  if (outcome.kind === "over") {
    if (await enter(deps, channel, came, outcome.put)) return;
    await outbox.send(address, channel.renderNotice(address, outcome.text));
    return;
  }
  const { owner } = outcome;
  if (owner.kind === "question" && owner.known.facts.onMismatch === "bridge") {
    if (!(await enter(deps, channel, came, outcome.put))) deps.onIgnored(channel.name, "no_route");
    return;
  }
  await ask(deps, held, came, outcome);
}

/** Tells what is wrong, with the form once more: one that was sent is closed for good. */
async function ask(
  { mismatched }: InboundDeps,
  { channel, outbox }: HeldPartition,
  { address, submitted }: Came,
  { owner, faults }: Extract<Unfit, { kind: "faults" }>,
): Promise<void> {
  const reason = faults.map(({ message }) => message).join("\n");
  if (owner.kind === "question") await mismatched(owner.known.facts.id, submitted.updateId, reason);
  const notice = channel.renderNotice(address, noticeFor(owner, reason));
  await outbox.send(address, [...notice, ...formAgain(channel, owner)]);
}

function noticeFor(owner: FormOwner, reason: string): string {
  const own = owner.kind === "question" ? owner.known.progress.state.asked.mismatch_notice : undefined;
  return own === undefined ? reason : fillNotice(own, reason);
}

function formAgain(channel: Channel, { kind, asked }: FormOwner) {
  if (kind === "notification") return channel.renderNotification(asked);
  return channel.render(asked).requests.filter(({ carriesControls }) => carriesControls === true);
}
