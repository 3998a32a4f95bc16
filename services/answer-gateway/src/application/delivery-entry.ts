import type { DeliveryEvent } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";

/** What a history tells of how a question came to a person: no address, no message's id, nothing that they wrote. */
export function deliveryEntry(event: DeliveryEvent): object {
  const { type, data } = event;
  switch (type) {
    case "delivery_started":
      return { channel: data.channel, attempt: data.attempt };
    case "delivered":
      return { channel: data.channel, attempt: data.attempt, shape: data.shape };
    case "delivery_failed":
      return {
        ...{ channel: data.channel, attempt: data.attempt, outcome: data.outcome },
        ...{ reason: data.reason, final: data.final },
        ...(data.retry_at === undefined ? {} : { retry_at: data.retry_at }),
      };
    case "delivery_reported":
      return {
        ...{ channel: data.channel, delivery: data.status },
        ...(data.code === undefined ? {} : { code: data.code }),
      };
    case "mismatched":
      return { channel: data.channel, reason: data.reason };
    default:
      return unreachable(type);
  }
}
