import type { DeliveryEvent } from "@interlude/contract";
import type { DeliveryProgress } from "@interlude/domain";
import { unreachable } from "@interlude/kernel";

/** As it is stored: a later event of a kind takes the place of the one before it. */
export type ProgressFacts = DeliveryProgress;

/** What of an event says how far its question has come: no address and no message. */
export function progressFacts(event: DeliveryEvent): ProgressFacts {
  switch (event.type) {
    case "delivery_started":
      return { started: { attempt: event.data.attempt } };
    case "delivered":
      return { delivered: { attempt: event.data.attempt } };
    case "delivery_failed": {
      const { attempt, outcome, reason, final } = event.data;
      return { failed: { attempt, outcome, reason, final } };
    }
    case "delivery_reported": {
      const { status, code } = event.data;
      return { reported: { status, ...(code === undefined ? {} : { code }) } };
    }
    case "mismatched":
      return {};
    default:
      return unreachable(event);
  }
}
