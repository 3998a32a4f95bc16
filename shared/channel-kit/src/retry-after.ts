/** When a provider that says "too many" does not say until when. */
export const RETRY_AFTER_DEFAULT_MS = 1_000;

/** A `Retry-After` header, in seconds or as a date; undefined when it says nothing that can be read. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
