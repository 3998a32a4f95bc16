import type { SendOutcome } from "@interlude/channel-kit";
import { toldOutcome } from "./application/next-step.ts";

export type ChannelHealth = Readonly<{
  status: "ok" | "failing" | "misconfigured";
  reason?: string;
}>;

/**
 * Whether a channel works, by what its last sends came to. A refused message says nothing of the channel, unless the
 * provider refuses whatever comes from us.
 */
export interface HealthWatch {
  onSend(outcome: SendOutcome): void;
  /** Told from outside, as when the provider does not take our webhook; `undefined` once it does. */
  onStart(fault: string | undefined): void;
  readonly health: ChannelHealth;
}

export function watchHealth(): HealthWatch {
  let sending: string | undefined;
  let starting: string | undefined;
  return {
    onSend(outcome) {
      if (outcome.kind === "sent") sending = undefined;
      else if (outcome.kind !== "rejected" || outcome.refusesUs === true) sending = toldOutcome(outcome);
    },
    onStart(fault) {
      starting = fault;
    },
    get health(): ChannelHealth {
      const reason = starting ?? sending;
      return reason === undefined ? { status: "ok" } : { status: "failing", reason };
    },
  };
}
