const LOCALE = "en";
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const moment = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(LOCALE, { style: "narrow", numeric: "always" });
const day = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric" });

export function formatMoment(iso: string): string {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? "" : moment.format(ms);
}

/** How long ago, as short as a list column wants it; older than a week is a date. */
export function formatAgo(iso: string, nowMs: number): string {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return "";
  const age = Math.max(0, nowMs - ms);
  if (age < MINUTE) return "now";
  if (age < HOUR) return relative.format(-Math.floor(age / MINUTE), "minute");
  if (age < DAY) return relative.format(-Math.floor(age / HOUR), "hour");
  if (age < 7 * DAY) return relative.format(-Math.floor(age / DAY), "day");
  return day.format(ms);
}

/** Counts down by the second in the last hour, by what a person would say before that. */
export function formatLeft(leftMs: number): string {
  if (leftMs >= 2 * DAY) return relative.format(Math.floor(leftMs / DAY), "day");
  if (leftMs >= 2 * HOUR) return relative.format(Math.floor(leftMs / HOUR), "hour");
  if (leftMs >= 10 * MINUTE) return relative.format(Math.floor(leftMs / MINUTE), "minute");
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND));
  return `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The same for the list, which ticks slower. */
export function formatDue(leftMs: number): string {
  if (leftMs < MINUTE) return "due now";
  if (leftMs >= 2 * DAY) return `due ${relative.format(Math.floor(leftMs / DAY), "day")}`;
  if (leftMs >= 2 * HOUR) return `due ${relative.format(Math.floor(leftMs / HOUR), "hour")}`;
  return `due ${relative.format(Math.floor(leftMs / MINUTE), "minute")}`;
}

/** Red is for what somebody must do now: the last quarter of a question's life, and never over an hour. */
export function isUrgent(createdAt: string, timeoutAt: string, nowMs: number): boolean {
  const deadline = Date.parse(timeoutAt);
  const left = deadline - nowMs;
  return left > 0 && left <= Math.min(HOUR, (deadline - Date.parse(createdAt)) / 4);
}

export const DUE_SHOWN_MS = DAY;
