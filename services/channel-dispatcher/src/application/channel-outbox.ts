import type { Lanes } from "./lanes.ts";
import { sendAll, type SendDeps } from "./send-all.ts";
import type { Outbox } from "../ports.ts";

/** Messages that belong to no question, each in its conversation's lane. */
export function channelOutbox(
  lanes: Lanes,
  sending: SendDeps,
  ending: { stopping: AbortSignal; cut: AbortSignal },
): Outbox {
  return {
    inLane: (address, work) => lanes.run(address, work),
    send: (address, requests, care) => sendAll(sending, address, requests, { ...ending, care }),
  };
}
