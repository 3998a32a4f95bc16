const pad = (value: number, width = 2): string => String(value).padStart(width, "0");

export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function localText(at: Date): string {
  const day = `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
  const seconds = at.getSeconds() === 0 && at.getMilliseconds() === 0 ? "" : `:${pad(at.getSeconds())}`;
  return day + "T" + time + seconds;
}

/** What the browser's control shows for a moment with an offset; undefined for text it could not show. */
export function toLocal(text: string): string | undefined {
  if (text === "") return "";
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : localText(new Date(ms));
}

/** A moment needs an offset: the device's, as it is on that day. */
export function toOffset(local: string): string {
  if (local === "") return "";
  const at = new Date(local);
  if (Number.isNaN(at.getTime())) return "";
  const minutes = -at.getTimezoneOffset();
  const sign = minutes < 0 ? "-" : "+";
  const offset = `${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
  const seconds = /T\d\d:\d\d$/.test(local) ? ":00" : "";
  return `${local}${seconds}${minutes === 0 ? "Z" : sign + offset}`;
}
