import { CAPS } from "./caps.ts";

const SEQUENCE = new RegExp(`^(0|[1-9]\\d{0,${CAPS.SEQUENCE_MAX_DIGITS - 1}})$`);

/** A position in the log: decimal, no sign, no leading zero, at most 16 digits. */
export function parseSequence(text: string): number | undefined {
  if (!SEQUENCE.test(text)) return undefined;
  const sequence = Number(text);
  // No log is that long; a number that cannot be held exactly would name another position.
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}

export type LastEventId = { kind: "absent" } | { kind: "malformed" } | { kind: "after"; sequence: number };

/** Where a stream is to go on: the header wins over the query, and an empty one is as absent. */
export function parseLastEventId(header: string | null | undefined, query?: string | null): LastEventId {
  const text = [header, query].find((value) => value !== null && value !== undefined && value !== "");
  if (text === null || text === undefined) return { kind: "absent" };
  const sequence = parseSequence(text);
  return sequence === undefined ? { kind: "malformed" } : { kind: "after", sequence };
}
