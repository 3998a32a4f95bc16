import {
  type Channel,
  type ProviderRequest,
  RETRY_AFTER_DEFAULT_MS,
  type SendOutcome,
  STOPPED,
} from "@interlude/channel-kit";
import { type AttemptRules, nextStep } from "./next-step.ts";
import { pause } from "./pause.ts";
import type { SendCare } from "../ports.ts";
import type { SendGate } from "./send-gate.ts";

export type SendDeps = Readonly<{
  channel: Channel;
  gate: SendGate;
  rules: AttemptRules;
  /** Told of each send and how long it took. */
  onSend: (outcome: SendOutcome, tookMs: number) => void;
}>;

type Bounds = { stopping: AbortSignal; cut: AbortSignal; care?: SendCare | undefined };

/** Sends what is in no question's record, in order; the first that does not arrive keeps the rest. */
export async function sendAll(
  deps: SendDeps,
  address: string,
  requests: readonly ProviderRequest[],
  bounds: Bounds,
): Promise<SendOutcome[]> {
  const outcomes: SendOutcome[] = [];
  const taken = [...(bounds.care?.taken ?? [])];
  for (const request of requests) {
    const outcome = await sendOne(deps, address, request, { ...bounds, taken });
    outcomes.push(outcome);
    if (outcome.kind !== "sent") break;
    taken.push(outcome.messageId);
  }
  return outcomes;
}

async function sendOne(
  { channel, gate, rules, onSend }: SendDeps,
  address: string,
  request: ProviderRequest,
  { stopping, cut, care, taken }: Bounds & { taken: readonly string[] },
): Promise<SendOutcome> {
  let unknownBefore = 0;
  for (let number = 1; ; number++) {
    const leave = await gate.enter(address, stopping);
    if (leave === undefined) return STOPPED;
    let outcome: SendOutcome = STOPPED;
    try {
      const may = (await care?.mayBegin(taken)) ?? "first";
      if (may === "no") return STOPPED;
      if (may === "again") unknownBefore = Math.max(1, unknownBefore);
      outcome = await sendTimed({ channel, onSend }, request, cut);
    } finally {
      leave(outcome);
    }
    if (outcome.kind === "not_sent" || outcome.kind === "rate_limited") await care?.onNotOut(taken, outcome);
    const step = nextStep(outcome, { number, unknownBefore, remainingMs: Infinity }, rules);
    if (step.kind !== "again") return outcome;
    if (outcome.kind === "unknown") unknownBefore++;
    await pause(step.delayMs, stopping);
  }
}

/** One send, and what it took. */
export async function sendTimed(
  { channel, onSend }: { channel: Pick<Channel, "send">; onSend: SendDeps["onSend"] },
  request: ProviderRequest,
  cut: AbortSignal,
): Promise<SendOutcome> {
  const beganMs = performance.now();
  const outcome = believed(await channel.send(request, cut));
  onSend(outcome, performance.now() - beganMs);
  return outcome;
}

/** Longer than this no provider has anybody wait; a timer could not either. */
const LONGEST_PAUSE_MS = 86_400_000;

/** A pause that can be kept, whatever the provider says. */
function believed(outcome: SendOutcome): SendOutcome {
  if (outcome.kind !== "rate_limited") return outcome;
  const { retryAfterMs: asked } = outcome;
  const retryAfterMs = Number.isNaN(asked)
    ? RETRY_AFTER_DEFAULT_MS
    : Math.min(Math.max(asked, 0), LONGEST_PAUSE_MS);
  return { ...outcome, retryAfterMs };
}
