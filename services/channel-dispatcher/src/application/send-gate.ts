import type { SendOutcome } from "@interlude/channel-kit";

/** Gives the place back, with how the send ended. */
export type Leave = (outcome: SendOutcome) => void;

/** How many sends of a channel run at a time, and when none may begin because the provider said so. */
export interface SendGate {
  /** Waits for a place; `undefined` once `signal` aborts, and then nothing may be sent. */
  enter(conversation: string, signal: AbortSignal): Promise<Leave | undefined>;
  readonly waiting: number;
}

export type SendGateOptions = Readonly<{ bound: number; nowMs: () => number }>;

type Waiter = { conversation: string; begin: (leave: Leave | undefined) => void };

/** After a pause one send tries whether it is over; each that arrives lets twice as many follow. */
const AFTER_PAUSE = 1;

export function createSendGate({ bound, nowMs }: SendGateOptions): SendGate {
  const waiters = new Set<Waiter>();
  const pausedUntil = new Map<string, number>();
  let channelUntil = 0;
  let limit = bound;
  let running = 0;
  let timer: NodeJS.Timeout | undefined;

  function onOutcome(conversation: string, outcome: SendOutcome): void {
    running--;
    if (outcome.kind === "sent") limit = Math.min(bound, limit * 2);
    if (outcome.kind === "rate_limited") {
      const until = nowMs() + outcome.retryAfterMs;
      if (outcome.scope === "conversation") {
        pausedUntil.set(conversation, Math.max(until, pausedUntil.get(conversation) ?? 0));
      } else {
        channelUntil = Math.max(channelUntil, until);
        limit = AFTER_PAUSE;
      }
    }
    admit();
  }

  function leaving(conversation: string): Leave {
    let isOver = false;
    return (outcome) => {
      if (isOver) return;
      isOver = true;
      onOutcome(conversation, outcome);
    };
  }

  function admit(): void {
    clearTimeout(timer);
    const now = nowMs();
    let wakeAt = channelUntil > now ? channelUntil : Infinity;
    for (const waiter of waiters) {
      if (running >= limit || channelUntil > now) break;
      const until = pausedUntil.get(waiter.conversation) ?? 0;
      if (until > now) {
        wakeAt = Math.min(wakeAt, until);
        continue;
      }
      pausedUntil.delete(waiter.conversation);
      waiters.delete(waiter);
      running++;
      waiter.begin(leaving(waiter.conversation));
    }
    if (wakeAt !== Infinity && waiters.size > 0) timer = setTimeout(admit, Math.ceil(wakeAt - now) + 1);
  }

  return {
    enter(conversation, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) {
          resolve(undefined);
          return;
        }
        const giveUp = (): void => {
          waiters.delete(waiter);
          resolve(undefined);
        };
        const waiter: Waiter = {
          conversation,
          begin: (leave) => {
            signal.removeEventListener("abort", giveUp);
            resolve(leave);
          },
        };
        signal.addEventListener("abort", giveUp, { once: true });
        waiters.add(waiter);
        admit();
      });
    },
    get waiting() {
      return waiters.size;
    },
  };
}
