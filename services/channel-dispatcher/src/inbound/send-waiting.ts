import type { HeldPartition } from "../ports.ts";
import type { InboundDeps } from "./inbound-work.ts";
import type { Known } from "./known-questions.ts";
import { outgoingQuestion } from "../application/outgoing-question.ts";

/** The person has written: what could not be sent to them before that goes out now, oldest first. */
export async function sendWaiting(
  held: HeldPartition,
  address: string,
  known: readonly Known[],
): Promise<void> {
  const waiting = known.filter(({ facts, progress }) => facts.isOpen && progress.delivery.awaitsPerson);
  if (waiting.length === 0) return;
  await held.outbox.inLane(address, async () => {
    for (const { facts } of waiting) await held.deliverNow(facts.id);
  });
}

/**
 * A provider that finds out late that the person has to write first: they are asked to, once, and the question waits.
 * `false`: there is nothing to ask them with, or nothing to ask for any more.
 */
export async function openLate(
  { record, links, questionOf, onReceipt }: InboundDeps,
  { channel, outbox }: HeldPartition,
  messageId: string,
): Promise<boolean> {
  if (channel.renderOpener === undefined) return false;
  const id = await questionOf(channel.name, messageId);
  const progress = id === undefined ? undefined : await record.read(id);
  if (id === undefined || progress?.state.status !== "pending") return false;
  const { state, delivery } = progress;
  const { receipt } = delivery;
  const isOpener = state.delivery?.delivered?.message_ids.at(-1) === messageId;
  // Told again, or of what asked them, which nothing can open.
  if (receipt === undefined) return delivery.awaitsPerson && !isOpener;
  const { address, shape } = receipt;
  const outcomes = await outbox.send(
    address,
    channel.renderOpener(outgoingQuestion(channel, links, state.asked)),
  );
  const sent = outcomes.flatMap((outcome) => (outcome.kind === "sent" ? [outcome.messageId] : []));
  if (sent.length === 0) return false;
  await onReceipt(channel.name, sent, id);
  await record.delivered(id, delivery.attempts + 1, {
    ...{ address, shape, messageIds: sent, controls: [], opener: true },
  });
  return true;
}
