import { type AskedData, formatInstant } from "@interlude/contract";

/** A question asked now that ends by itself `forMs` later. */
export function askedAt(
  id: string,
  nowMs: number,
  forMs = 60_000,
  changes: Partial<AskedData> = {},
): AskedData {
  return {
    interaction_id: id,
    asker: "ann",
    group_id: "group-1",
    question: "Ship it?",
    answer_format: "confirm",
    format_payload: {},
    mode: "sync",
    created_at: formatInstant(nowMs),
    timeout_at: formatInstant(nowMs + forMs),
    sensitive: false,
    fingerprint: "content-1",
    ...changes,
  };
}
