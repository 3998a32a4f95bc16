import { CAPS } from "./caps.ts";
import type { Parsed } from "./parsed.ts";

const SECONDS = /^\d{1,9}(\.\d{1,3})?$/;

/** The `wait` parameter: 0 to 60 seconds, fractions allowed; absent is 0. */
export function parseWait(value: string | null | undefined): Parsed<number> {
  if (value === null || value === undefined) return { ok: true, value: 0 };
  const seconds = SECONDS.test(value) ? Number(value) : Number.NaN;
  if (seconds <= CAPS.WAIT_MAX_SECONDS) return { ok: true, value: seconds };
  const message = `wait must be a number of seconds from 0 to ${CAPS.WAIT_MAX_SECONDS}`;
  return { ok: false, faults: [{ path: "wait", message }] };
}

export type Preferences = Readonly<{ waitSeconds?: number; delivered: boolean }>;

/** Splits at commas outside quotes, which a preference of another maker may hold. */
function preferencesIn(header: string): string[] {
  return header.match(/(?:[^,"]|"[^"]*"?)+/g) ?? [];
}

/**
 * `Prefer: delivered, wait=30` (RFC 7240): what is unknown or malformed is ignored, as preferences are; the
 * first of two counts, and a longer wait is held as long as any may be.
 */
export function parsePrefer(header: string | null | undefined): Preferences {
  let waitSeconds: number | undefined;
  let delivered = false;
  for (const preference of preferencesIn(header ?? "")) {
    const [token = "", value] = (preference.split(";", 1)[0] ?? "").split("=", 2).map((part) => part.trim());
    const name = token.toLowerCase();
    if (name === "delivered" && value === undefined) delivered = true;
    if (name !== "wait" || waitSeconds !== undefined) continue;
    const seconds = (value ?? "").replace(/^"(.*)"$/, "$1");
    if (SECONDS.test(seconds)) waitSeconds = Math.min(Number(seconds), CAPS.WAIT_MAX_SECONDS);
  }
  return waitSeconds === undefined ? { delivered } : { waitSeconds, delivered };
}
