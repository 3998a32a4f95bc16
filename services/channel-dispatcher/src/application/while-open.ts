const TIMER_MAX_MS = 2_147_483_647;

/**
 * Does `work` with a signal that aborts with the first of `signals`, or after `ms`. Nothing of it stays behind: the
 * signals may live as long as the process, and the time may be years.
 */
export async function whileOpen<T>(
  ms: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const abort = (): void => {
    own.abort();
  };
  const timer = setTimeout(abort, Math.max(0, Math.min(ms, TIMER_MAX_MS)));
  for (const signal of signals) {
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  }
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}
