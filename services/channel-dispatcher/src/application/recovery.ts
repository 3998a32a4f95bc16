import type { Delivery, DurableState } from "@interlude/event-log";

export type RecoveryOptions = Readonly<{
  /** What was handed to whoever had the partition before, and not settled. */
  missing: number;
  look: () => Promise<Pick<DurableState, "unacknowledged">>;
  /** Deliveries that this process has not settled. */
  heldCount: () => number;
  withinMs: number;
  everyMs: number;
  pass: (delivery: Delivery) => void;
  onFailure: (error: unknown) => void;
}>;

/** Holds deliveries back until those of the worker before are among them; then all go on in the log's order. */
export interface Recovery {
  take(delivery: Delivery): void;
  readonly done: Promise<void>;
  stop(): void;
}

export function startRecovery(options: RecoveryOptions): Recovery {
  const { missing, look, heldCount, withinMs, everyMs, pass } = options;
  const waiting: Delivery[] = [];
  let isOver = false;
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });

  function finish(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    clearTimeout(late);
    for (const delivery of waiting.sort((one, other) => one.sequence - other.sequence)) pass(delivery);
    end();
  }

  /** Whatever is unsettled is with this process: the worker before may have settled some itself meanwhile. */
  async function check(): Promise<void> {
    if ((await look()).unacknowledged <= heldCount()) finish();
  }

  const timer = setInterval(() => {
    check().catch(options.onFailure);
  }, everyMs);
  const late = setTimeout(finish, withinMs);
  if (missing === 0) finish();

  return {
    take(delivery) {
      if (isOver) {
        pass(delivery);
        return;
      }
      waiting.push(delivery);
      if (waiting.length >= missing) void check().catch(options.onFailure);
    },
    done,
    stop() {
      isOver = true;
      clearInterval(timer);
      clearTimeout(late);
      end();
    },
  };
}
