import type { Channel, InboundSubmission } from "@interlude/channel-kit";
import type { HeldPartition } from "../ports.ts";
import { decideSubmission, type FormOwner, type SubmissionOutcome } from "./decide-submission.ts";
import type { InboundDeps } from "./inbound-work.ts";

type Came = Readonly<{ address: string; submitted: InboundSubmission; canWait: boolean }>;

/** A submission of a medium's own form, in the lane of its conversation; where the provider waited, a second time. */
export async function handleSubmission(
  deps: InboundDeps,
  held: HeldPartition,
  came: Came,
): Promise<"done" | "again"> {
  const { channel } = held;
  const outcome = await decideSubmission(deps, channel, came);
  if (outcome.kind === "wait" && came.canWait) return "again";
  // What the form itself has told is not told once more.
  if (channel.refuseSubmission === undefined) await tell(deps, held, came, outcome);
  if (outcome.kind === "said") {
    const { updateId, from } = came.submitted;
    const { address } = came;
    const entered = await deps.talk.enter(channel.name, { updateId, address, from, text: outcome.text });
    if (entered === "no_route") deps.onIgnored(channel.name, "no_route");
  }
  if (outcome.kind === "unknown" || outcome.kind === "wait") deps.onIgnored(channel.name, "unknown_question");
  return "done";
}

async function tell(
  { mismatched }: InboundDeps,
  { channel, outbox }: HeldPartition,
  { address, submitted }: Came,
  outcome: SubmissionOutcome,
): Promise<void> {
  if (outcome.kind === "over") {
    await outbox.send(address, channel.renderNotice(address, outcome.text));
    return;
  }
  if (outcome.kind !== "faults") return;
  const { owner, faults } = outcome;
  const reason = faults.map(({ message }) => message).join("\n");
  if (owner.kind === "question") await mismatched(owner.known.facts.id, submitted.updateId, reason);
  await outbox.send(address, [...channel.renderNotice(address, reason), ...formAgain(channel, owner)]);
}

/** A form that was sent is closed for good: what was wrong is put right in a new one. */
function formAgain(channel: Channel, { kind, asked }: FormOwner) {
  const requests = kind === "question" ? channel.render(asked).requests : channel.renderNotification(asked);
  return requests.filter(({ carriesControls }) => carriesControls === true);
}
