import type { ServiceFailure } from "@interlude/kernel";

export type Running = {
  /** When it can no longer do its work, and why; `undefined` when it was stopped. */
  closed: Promise<ServiceFailure | undefined>;
  stop(): Promise<void>;
};

/**
 * Runs until a signal, or until what runs has ended by itself: it is then stopped and the reason thrown, so that
 * whoever supervises the process starts it again. A stop that takes too long is cut.
 * @throws ServiceFailure what ended it
 */
export async function runUntilEnded(
  started: Running,
  signalled: Promise<void>,
  stopping: { withinMs: number; cut: () => void },
): Promise<void> {
  const failure = await Promise.race([signalled, started.closed]);
  setTimeout(stopping.cut, stopping.withinMs).unref();
  if (failure === undefined) return started.stop();
  // Parts of it cannot be stopped in order any more; the reason for it is what must be told.
  await started.stop().catch(() => undefined);
  throw failure;
}
