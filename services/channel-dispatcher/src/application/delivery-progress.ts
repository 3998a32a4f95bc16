import type { Shape } from "@interlude/channel-kit";
import { parseInstant } from "@interlude/contract";
import { attemptsMade, isSending, type KnownInteraction } from "@interlude/domain";
import type { DeliveryProgress, Receipt } from "./delivery-record.ts";

const SHAPES: readonly Shape[] = ["buttons", "select", "list", "numbered", "text", "modal", "page", "link"];

/** What the events of a question say of its delivery. */
export function progressOf({ delivery = {}, status }: KnownInteraction): DeliveryProgress {
  const { failed, reported } = delivery;
  const receipt = receiptOf(delivery);
  const isGivenUp = failed?.final === true;
  const willNotArrive = isGivenUp && failed.outcome !== "unknown" && receipt === undefined;
  return {
    attempts: attemptsMade(delivery),
    isUnfinished: isSending(delivery),
    unknown: failed?.outcome === "unknown" ? 1 : 0,
    isOver: receipt !== undefined || isGivenUp || reported?.status === "failed",
    failedReason: willNotArrive && status === "pending" ? failed.reason : undefined,
    retryAtMs: failed?.retry_at === undefined ? undefined : parseInstant(failed.retry_at),
    taken: takenOf(delivery),
    receipt,
    awaitsPerson: delivery.delivered?.opener === true,
  };
}

/** Each list begins with what an earlier one had. */
function takenOf({ started, failed }: NonNullable<KnownInteraction["delivery"]>): readonly string[] {
  const [begun, left] = [started?.message_ids ?? [], failed?.message_ids ?? []];
  return begun.length > left.length ? begun : left;
}

/** What asked a person to write first was not the question. */
function receiptOf({ delivered }: NonNullable<KnownInteraction["delivery"]>): Receipt | undefined {
  if (delivered === undefined || delivered.opener === true) return undefined;
  const { address, message_ids: messageIds, controls, numbered } = delivered;
  const shape = SHAPES.find((each) => each === delivered.shape) ?? "text";
  return { address, messageIds, controls, shape, ...(numbered === undefined ? {} : { numbered }) };
}
