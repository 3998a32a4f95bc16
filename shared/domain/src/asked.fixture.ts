import type { AskedData } from "@interlude/contract";
import { formatInstant } from "@interlude/contract";

/** A question asked at 0 that ends by itself at 1,000 ms; for tests. */
export function askedFixture(changes: Partial<AskedData> = {}): AskedData {
  return {
    interaction_id: "question-1",
    asker: "ann",
    group_id: "group-1",
    question: "Ship it?",
    answer_format: "confirm",
    format_payload: {},
    mode: "sync",
    created_at: formatInstant(0),
    timeout_at: formatInstant(1_000),
    sensitive: false,
    fingerprint: "content-1",
    ...changes,
  };
}
