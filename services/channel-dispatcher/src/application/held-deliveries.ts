import type { Delivery } from "@interlude/event-log";

/** Deliveries that this process has and has not settled: told to be alive, and counted. */
export interface HeldDeliveries {
  /** As it was, but settling it lets go of it. */
  keep(delivery: Delivery): Delivery;
  readonly size: number;
  /** Hands back everything that is left, in the log's order. */
  handBack(): void;
  close(): void;
}

export function createHeldDeliveries(aliveEveryMs: number): HeldDeliveries {
  const held = new Map<number, Delivery>();
  const timer = setInterval(() => {
    for (const delivery of held.values()) delivery.working();
  }, aliveEveryMs);

  return {
    keep(delivery) {
      held.set(delivery.sequence, delivery);
      /** Settled once: what was handed back is another worker's to acknowledge. */
      const settle = (act: () => void): void => {
        if (held.delete(delivery.sequence)) act();
      };
      return {
        ...delivery,
        ack: () => {
          settle(() => {
            delivery.ack();
          });
        },
        nak: (delayMs) => {
          settle(() => {
            delivery.nak(delayMs);
          });
        },
        term: (reason) => {
          settle(() => {
            delivery.term(reason);
          });
        },
      };
    },
    get size() {
      return held.size;
    },
    handBack() {
      const left = [...held.values()].sort((one, other) => one.sequence - other.sequence);
      held.clear();
      for (const delivery of left) delivery.nak(0);
    },
    close() {
      clearInterval(timer);
    },
  };
}
