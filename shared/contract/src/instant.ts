const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** The years that four digits can say. */
const FIRST_MS = -62_167_219_200_000;
const LAST_MS = 253_402_300_799_999;

/**
 * Milliseconds since the epoch of an RFC 3339 time with its offset; undefined when it is none, names no
 * possible date, second 60 or hour 24. What is finer than a millisecond is cut off.
 */
export function parseInstant(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const fraction = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A date that the calendar does not have would have rolled over into another one.
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    return undefined;
  }
  const offset = offsetMinutes(match[8], Number(match[9] ?? 0), Number(match[10] ?? 0));
  if (offset === undefined) return undefined;
  const ms = date.setUTCHours(hour, minute, second, fraction) - offset * 60_000;
  return ms < FIRST_MS || ms > LAST_MS ? undefined : ms;
}

function offsetMinutes(sign: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (sign === "-" ? -1 : 1);
}

/** RFC 3339 in UTC with milliseconds, the one form in which times leave. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}
