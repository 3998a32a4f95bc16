import type { Logger } from "@interlude/service-kit";
import { failDisabled, type FailDisabledDeps } from "./application/fail-disabled.ts";
import { textOf } from "./model-writer.ts";

export interface DisabledWatch {
  start(): void;
  /** Looks again, because something of this subject's may have come. */
  look(owners: Iterable<string>): void;
  stop(): Promise<void>;
}

const COMPARE_EVERY_MS = 1_000;
const AGAIN_AFTER_FAILURE_MS = 1_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Fails the resumes of disabled subjects: when one is disabled, when one of theirs comes, when a lease on one ends. */
export function createDisabledWatch(deps: FailDisabledDeps & { logger: Logger }): DisabledWatch {
  let seen: ReadonlySet<string> | undefined;
  let comparing: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAgain = false;
  let isStopped = true;

  function begin(): void {
    if (isStopped) return;
    if (running !== undefined) {
      isAgain = true;
      return;
    }
    clearTimeout(timer);
    running = lookOnce().finally(() => {
      running = undefined;
      if (isAgain) begin();
    });
  }

  async function lookOnce(): Promise<void> {
    isAgain = false;
    try {
      const againAtMs = await failDisabled(deps);
      if (againAtMs !== undefined) later(againAtMs - deps.clock.nowMs());
    } catch (error) {
      deps.logger.warn("resumes of disabled subjects are looked at again", { reason: textOf(error) });
      later(AGAIN_AFTER_FAILURE_MS);
    }
  }

  function later(inMs: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(begin, Math.min(Math.max(inMs, 0) + 2, MAX_TIMER_MS));
  }

  /** The file is read when it changes, and is another set then. */
  function compare(): void {
    const denied = deps.denied();
    if (denied === seen) return;
    seen = denied;
    if (denied.size > 0) begin();
  }

  return {
    start() {
      isStopped = false;
      compare();
      comparing = setInterval(compare, COMPARE_EVERY_MS);
      comparing.unref();
    },
    look(owners) {
      const denied = deps.denied();
      if (denied.size > 0 && [...owners].some((owner) => denied.has(owner))) begin();
    },
    async stop() {
      isStopped = true;
      isAgain = false;
      clearInterval(comparing);
      clearTimeout(timer);
      await running;
    },
  };
}
