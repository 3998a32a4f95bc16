/**
 * Aborts with `signal`, or with a `TimeoutError` after `ms`. `AbortSignal.any` would not do: Node 20 may collect a
 * signal of it before its time, after which it never fires, and keeps a trace of each at `signal` for as long as that
 * lives.
 */
export function abortAfter(ms: number, signal: AbortSignal): AbortSignal {
  const own = new AbortController();
  const onAbort = (): void => {
    clearTimeout(timer);
    own.abort(signal.reason);
  };
  const timer = setTimeout(() => {
    signal.removeEventListener("abort", onAbort);
    own.abort(new DOMException(`no end within ${ms} ms`, "TimeoutError"));
  }, ms);
  timer.unref();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return own.signal;
}
