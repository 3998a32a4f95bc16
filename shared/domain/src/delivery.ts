import type {
  DeliveredData,
  DeliveryEvent,
  DeliveryFailedData,
  DeliveryReportedData,
  DeliveryStartedData,
  DeliveryState,
  DeliveryView,
  MismatchedData,
  ReportedStatus,
} from "@interlude/contract";
import { unreachable } from "@interlude/kernel";

/** How a channel's question came to a person: the last event of each kind, which is all there is to know. */
export type Delivery = Readonly<{
  started?: DeliveryStartedData;
  delivered?: DeliveredData;
  failed?: DeliveryFailedData;
  reported?: DeliveryReportedData;
  mismatched?: MismatchedData;
}>;

export function evolveDelivery(delivery: Delivery | undefined, event: DeliveryEvent): Delivery {
  switch (event.type) {
    case "delivery_started":
      return { ...delivery, started: event.data };
    case "delivered":
      return { ...delivery, delivered: event.data };
    case "delivery_failed":
      return { ...delivery, failed: event.data };
    case "delivery_reported":
      return { ...delivery, reported: event.data };
    case "mismatched":
      return { ...delivery, mismatched: event.data };
    default:
      return unreachable(event);
  }
}

/** What of a delivery says how far it has come. */
export type DeliveryProgress = Readonly<{
  started?: Pick<DeliveryStartedData, "attempt">;
  delivered?: Pick<DeliveredData, "attempt">;
  failed?: Pick<DeliveryFailedData, "attempt" | "outcome" | "reason" | "final">;
  reported?: Pick<DeliveryReportedData, "status" | "code">;
}>;

/** A provider's reports go up and never down; that one message failed is the last word on the question. */
export const REPORT_RANK: Readonly<Record<ReportedStatus, number>> = {
  sent: 0,
  delivered: 1,
  read: 2,
  failed: 3,
};

export function attemptsMade({ started, delivered, failed }: DeliveryProgress): number {
  return Math.max(started?.attempt ?? 0, delivered?.attempt ?? 0, failed?.attempt ?? 0);
}

/** The attempt that began last has not ended, as far as was recorded. */
export function isSending({ started, delivered, failed }: DeliveryProgress): boolean {
  const ended = Math.max(delivered?.attempt ?? 0, failed?.attempt ?? 0);
  return started !== undefined && started.attempt > ended;
}

export function deliveryState(delivery: DeliveryProgress = {}): DeliveryState {
  const { delivered, failed, reported } = delivery;
  if (reported?.status === "failed") return "failed";
  if (isSending(delivery)) return "sending";
  if (failed !== undefined && failed.attempt > (delivered?.attempt ?? 0)) {
    if (!failed.final) return "queued";
    return failed.outcome === "unknown" ? "unknown" : "failed";
  }
  if (delivered === undefined) return "queued";
  return reported?.status ?? "sent";
}

export function deliveryView(delivery: DeliveryProgress = {}): DeliveryView {
  const { reported, failed } = delivery;
  const state = deliveryState(delivery);
  const isDone = state === "sent" || state === "delivered" || state === "read";
  const error = reported?.status === "failed" ? (reported.code ?? "failed") : failed?.reason;
  const view = { state, attempts: attemptsMade(delivery) };
  return error === undefined || isDone ? view : { ...view, last_error: error };
}
