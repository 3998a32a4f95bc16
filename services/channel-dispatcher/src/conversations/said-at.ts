import { formatInstant, parseInstant } from "@interlude/contract";

/** When it was said, by the provider's clock; one that names no time of ours says nothing. */
export function saidAt(atMs: number | undefined, nowMs: number): string {
  const told = Number.isNaN(new Date(atMs ?? Number.NaN).getTime()) ? "" : formatInstant(atMs ?? nowMs);
  return parseInstant(told) === undefined ? formatInstant(nowMs) : told;
}
