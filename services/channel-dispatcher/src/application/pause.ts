/** Ends early when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(Math.max(ms, 0), 2_147_483_647));
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
