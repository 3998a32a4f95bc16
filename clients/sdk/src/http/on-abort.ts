const LISTENING = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `then` when the signal is aborted, unless taken back. One listener serves everybody who waits for the same
 * signal: hundreds of questions may share one, and Node warns of a leak from the eleventh listener on.
 */
export function onAbort(signal: AbortSignal, then: () => void): () => void {
  let waiting = LISTENING.get(signal);
  if (waiting === undefined) {
    const made = new Set<() => void>();
    waiting = made;
    LISTENING.set(signal, made);
    const tellAll = (): void => {
      for (const each of [...made]) each();
    };
    signal.addEventListener("abort", tellAll, { once: true });
  }
  // Wrapped, so that the same function can wait twice.
  const entry = (): void => {
    then();
  };
  waiting.add(entry);
  const joined = waiting;
  return () => {
    joined.delete(entry);
  };
}
