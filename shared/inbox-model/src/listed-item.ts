import { formatInstant, type InteractionStatus, type Item, type ItemQuestion } from "@interlude/contract";
import { deliveryView } from "@interlude/domain";
import type { Json } from "@interlude/kernel";
import type { ProgressFacts } from "./progress.ts";

/** What an external question's `url` is made of, for those who may answer it. */
export type External = { link: string; ticket?: { kid: string; nonce: string } };

export type ListedItem = {
  item: Item;
  /** Only while the question is open. */
  external?: External;
};

/** As the list query selects it. */
export type ItemRow = {
  seq_asked: number;
  seq_last: number;
  deadline_ms: number;
  status: InteractionStatus;
  resolved_ms: number | null;
  answered_by: string | null;
  answer: Json;
  delivery: ProgressFacts | null;
  question: ItemQuestion;
  external: External | null;
};

/** Past its deadline a question is over, whether or not its `expired` has come: then the deadline is its end. */
export function listedItem(row: ItemRow, nowMs: number): ListedItem {
  const isOverdue = row.status === "pending" && row.deadline_ms <= nowMs;
  const status = isOverdue ? "expired" : row.status;
  const resolvedMs = isOverdue ? row.deadline_ms : row.resolved_ms;
  const item: Item = {
    ...row.question,
    status,
    ...(row.question.channel === undefined ? {} : { delivery: deliveryView(row.delivery ?? {}) }),
    sequence: row.seq_last,
    ...(resolvedMs === null ? {} : { resolved_at: formatInstant(resolvedMs) }),
    ...(row.answered_by === null ? {} : { answered_by: row.answered_by }),
    ...(status === "answered" && !row.question.sensitive ? { answer: row.answer } : {}),
  };
  return status === "pending" && row.external !== null ? { item, external: row.external } : { item };
}
