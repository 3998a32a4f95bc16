/**
 * Where deadlines wait: near ones in this process, held as unacknowledged deliveries; far ones in the log's
 * timers. Nothing is polled, and nothing a restart loses: what was held is delivered again.
 */
export interface DeadlineKeeper {
  /** Calls `onDue` at `dueAtMs` by the log's clock, or soon after; at once when it has passed. */
  hold(id: string, dueAtMs: number, onDue: () => void): void;
  /** Forgets a held deadline; tells whether one was held. */
  drop(id: string): boolean;
  readonly held: number;
  close(): void;
}

/** `setTimeout` takes 32-bit milliseconds, and a longer delay would fire at once. */
const LONGEST_DELAY_MS = 2_147_000_000;

export function createDeadlineKeeper(nowMs: () => number): DeadlineKeeper {
  const timers = new Map<string, NodeJS.Timeout>();

  function arm(id: string, dueAtMs: number, onDue: () => void): void {
    const delayMs = Math.min(LONGEST_DELAY_MS, Math.max(0, Math.ceil(dueAtMs - nowMs())));
    const timer = setTimeout(() => {
      // A timer may fire a fraction early, and the clock's offset may have moved: look again.
      if (nowMs() < dueAtMs) {
        arm(id, dueAtMs, onDue);
        return;
      }
      timers.delete(id);
      onDue();
    }, delayMs);
    timers.set(id, timer);
  }

  return {
    hold(id, dueAtMs, onDue) {
      clearTimeout(timers.get(id));
      arm(id, dueAtMs, onDue);
    },
    drop(id) {
      const timer = timers.get(id);
      clearTimeout(timer);
      return timers.delete(id) && timer !== undefined;
    },
    get held() {
      return timers.size;
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
