import type { JsonObject } from "@interlude/kernel";
import type { FormData, FormPage } from "./form-parts.ts";
import type { MediaItem } from "./media.ts";
import type { AskOption } from "./options.ts";

export const ANSWER_FORMATS = ["text", "confirm", "select", "form", "external"] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

export const VERIFIER_NAMES = ["github", "stripe", "slack", "shared_secret"] as const;
export type VerifierName = (typeof VERIFIER_NAMES)[number];

export type AskVerifier = Readonly<{ name: VerifierName; config: JsonObject }>;
export type AskRun = Readonly<{ driver: string; run_id: string }>;
export type OnMismatch = "retry" | "bridge";

type Common = Readonly<{
  id?: string;
  question: string;
  media?: readonly MediaItem[];
  group_id?: string;
  audience?: string;
  sensitive: boolean;
  metadata?: Readonly<Record<string, string>>;
}>;

type Mode =
  | Readonly<{ mode: "sync"; timeout_seconds?: number }>
  | Readonly<{ mode: "async"; expiry_at: string; run: AskRun }>;

type Delivery =
  | Readonly<{ channel?: never; recipient?: never; on_mismatch?: never; mismatch_notice?: never }>
  | Readonly<{ channel: string; recipient?: string; on_mismatch: OnMismatch; mismatch_notice?: string }>;

type Format =
  | Readonly<{ answer_format: "text"; options?: readonly AskOption[] }>
  | Readonly<{ answer_format: "confirm" }>
  | Readonly<{ answer_format: "select"; options: readonly AskOption[] }>
  | Readonly<{ answer_format: "form"; schema: JsonObject; data?: FormData; pages?: readonly FormPage[] }>
  | Readonly<{ answer_format: "external"; schema?: JsonObject; link?: string; verifier?: AskVerifier }>;

/** A question that has every rule behind it which the body alone can break. */
export type Ask = Common & Mode & Delivery & Format;
