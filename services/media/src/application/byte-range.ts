import type { ByteRange } from "@interlude/event-log";

/** `whole`: there is no range that can be honoured, which is no fault. */
export type RangeVerdict = { kind: "whole" } | { kind: "part"; range: ByteRange } | { kind: "unsatisfiable" };

const SINGLE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i;

/** Reads a `Range` header over `size` bytes (RFC 9110, 14): one range is honoured, several or nonsense are ignored. */
export function readRange(header: string | undefined, size: number): RangeVerdict {
  const match = SINGLE.exec(header ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (match === null || (from === "" && to === "")) return { kind: "whole" };
  return from === ""
    ? suffix(Number(to), size)
    : between(Number(from), to === "" ? Infinity : Number(to), size);
}

function suffix(length: number, size: number): RangeVerdict {
  if (length === 0 || size === 0) return { kind: "unsatisfiable" };
  return { kind: "part", range: { first: Math.max(0, size - length), last: size - 1 } };
}

function between(first: number, last: number, size: number): RangeVerdict {
  if (first > last) return { kind: "whole" };
  if (first >= size) return { kind: "unsatisfiable" };
  return { kind: "part", range: { first, last: Math.min(last, size - 1) } };
}
