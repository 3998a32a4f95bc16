/**
 * Aborts with `signal`, or with a `TimeoutError` after `ms`. `AbortSignal.timeout` inside `AbortSignal.any` would
 * not do: nothing holds it, and Node 20 may collect it before its time, after which it never fires.
 */
export function abortAfter(ms: number, signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new DOMException(`no end within ${ms} ms`, "TimeoutError"));
  }, ms);
  timer.unref();
  return AbortSignal.any([signal, late.signal]);
}
