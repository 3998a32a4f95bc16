let offsetMs = 0;

/** The server's clock decides deadlines; a device whose clock is off by more than this is corrected. */
const TOLERATED_SKEW_MS = 3_000;

export function learnServerTime(dateHeader: string | null): void {
  const serverMs = dateHeader === null ? Number.NaN : Date.parse(dateHeader);
  if (Number.isNaN(serverMs)) return;
  const skew = serverMs - Date.now();
  offsetMs = Math.abs(skew) > TOLERATED_SKEW_MS ? skew : 0;
}

export function serverNowMs(): number {
  return Date.now() + offsetMs;
}
