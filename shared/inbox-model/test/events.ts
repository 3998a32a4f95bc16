import {
  type AnsweredData,
  type AskedData,
  type EndType,
  formatInstant,
  type InteractionEvent,
} from "@interlude/contract";
import type { ProjectedEntry } from "../src/index.ts";

export const NOW_MS = Date.parse("2031-03-01T12:00:00.000Z");

export function askedEvent(id: string, more: Partial<AskedData> = {}): InteractionEvent {
  return {
    type: "asked",
    data: {
      interaction_id: id,
      asker: "flow",
      group_id: `group-of-${id}`,
      question: `Question ${id}?`,
      answer_format: "text",
      format_payload: {},
      mode: "sync",
      created_at: formatInstant(NOW_MS - 1_000),
      timeout_at: formatInstant(NOW_MS + 3_600_000),
      sensitive: false,
      fingerprint: "f",
      ...more,
    },
  };
}

export function endEvent(
  type: EndType,
  id: string,
  answer: Partial<AnsweredData> = { answer: "yes" },
): InteractionEvent {
  const belonging = {
    interaction_id: id,
    group_id: `group-of-${id}`,
    asker: "flow",
    mode: "sync" as const,
    at: formatInstant(NOW_MS),
  };
  switch (type) {
    case "answered":
      return { type, data: { ...belonging, answered_by: "ann", via: "door", ...answer } };
    case "expired":
      return { type, data: belonging };
    case "cancelled":
      return { type, data: { ...belonging, cancelled_by: "flow" } };
    case "failed":
      return { type, data: { ...belonging, reason: "no such number" } };
  }
}

/** Events with the sequences that follow `after`. */
export function sequenced(events: readonly ProjectedEntry["entry"][], after = 0): ProjectedEntry[] {
  return events.map((entry, index) => ({ sequence: after + index + 1, entry }));
}
