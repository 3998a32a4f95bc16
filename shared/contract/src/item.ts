import type { Json } from "@interlude/kernel";
import type { AskedData } from "./events.ts";

export type InteractionStatus = "pending" | "answered" | "expired" | "cancelled" | "failed";

export type DeliveryState = "queued" | "sending" | "sent" | "delivered" | "read" | "unknown" | "failed";

/** How far a channel's question has come. */
export type DeliveryView = { state: DeliveryState; attempts: number; last_error?: string };

/** What a question was asked with, as readers see it; `url` only for those who may answer. */
export type ItemFormatPayload = AskedData["format_payload"] & { url?: string };

/** One question as lists, frames and the item door show it (never: tickets, verifier config, run). */
export type Item = {
  interaction_id: string;
  group_id: string;
  asker: string;
  question: string;
  answer_format: AskedData["answer_format"];
  format_payload: ItemFormatPayload;
  status: InteractionStatus;
  mode: AskedData["mode"];
  created_at: string;
  timeout_at: string;
  expiry_at?: string;
  channel?: string;
  recipient?: string;
  audience?: string;
  media?: NonNullable<AskedData["media"]>;
  sensitive: boolean;
  server_verified: boolean;
  metadata?: Record<string, string>;
  delivery?: DeliveryView;
  sequence: number;
  resolved_at?: string;
  answered_by?: string;
  answer?: Json;
};

/** The part of an item that never changes after it was asked, link excepted (see `ItemFormatPayload`). */
export type ItemQuestion = Omit<
  Item,
  "status" | "sequence" | "resolved_at" | "answered_by" | "answer" | "delivery"
>;

/** Renders the question's part of an item from its `asked` event. */
export function itemQuestion(asked: AskedData): ItemQuestion {
  return {
    interaction_id: asked.interaction_id,
    group_id: asked.group_id,
    asker: asked.asker,
    question: asked.question,
    answer_format: asked.answer_format,
    format_payload: asked.format_payload,
    mode: asked.mode,
    created_at: asked.created_at,
    timeout_at: asked.timeout_at,
    ...(asked.expiry_at === undefined ? {} : { expiry_at: asked.expiry_at }),
    ...(asked.channel === undefined ? {} : { channel: asked.channel }),
    ...(asked.recipient === undefined ? {} : { recipient: asked.recipient }),
    ...(asked.audience === undefined ? {} : { audience: asked.audience }),
    ...(asked.media === undefined ? {} : { media: asked.media }),
    sensitive: asked.sensitive,
    server_verified: asked.verifier !== undefined,
    ...(asked.metadata === undefined ? {} : { metadata: asked.metadata }),
  };
}
