import type { Json } from "../json.ts";
import type { AnySchema, OutputOf } from "../standard-schema.ts";
import type { FormPage, Media, Option } from "../wire/item.ts";

/** What a question of any format may carry. Fields are the service's, in camel case. */
export type AskCommon = Readonly<{
  question: string;
  /**
   * Names the question, so that asking again with the same content (after a crash, say) gives the same question
   * and its answer instead of a second one.
   */
  id?: string | undefined;
  groupId?: string | undefined;
  media?: readonly Media[] | undefined;
  mode?: "sync" | "async" | undefined;
  timeoutSeconds?: number | undefined;
  expiryAt?: Date | string | undefined;
  channel?: string | undefined;
  recipient?: string | undefined;
  onMismatch?: "retry" | "bridge" | undefined;
  mismatchNotice?: string | undefined;
  audience?: string | undefined;
  sensitive?: boolean | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Aborting it cancels the question, and rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}>;

export type FormData = Readonly<{
  values?: Readonly<Record<string, Json>> | undefined;
  options?:
    Readonly<Record<string, readonly Readonly<{ value: string; label?: string | undefined }>[]>> | undefined;
}>;

export type AskText = AskCommon &
  Readonly<{
    answerFormat?: "text" | undefined;
    /** Suggested replies: they constrain nothing. */
    options?: readonly Option[] | undefined;
  }>;
export type AskConfirm = AskCommon & Readonly<{ answerFormat: "confirm" }>;
export type AskSelect = AskCommon & Readonly<{ answerFormat: "select"; options: readonly Option[] }>;
export type AskForm = AskCommon &
  Readonly<{
    answerFormat: "form";
    schema: AnySchema;
    data?: FormData | undefined;
    pages?: readonly FormPage[] | undefined;
  }>;

export type Ask = AskText | AskConfirm | AskSelect | AskForm;

export type AskExternal = AskCommon &
  Readonly<{
    schema?: AnySchema | undefined;
    verifier?: Readonly<{ name: string; config: Readonly<Record<string, Json>> }> | undefined;
    /** A reservation made before, for asking again after a crash; see `reserve`. */
    reservation?: Reservation | undefined;
  }>;

export type Reservation = Readonly<{
  interactionId: string;
  callbackUrl: string;
  expiresAt?: string | undefined;
}>;

type ValueOf<Chosen> = Chosen extends string
  ? Chosen
  : Chosen extends { readonly value: infer Value extends string }
    ? Value
    : never;

/** The type of an ask's answer: by its format, a select's by its options, a form's by its schema. */
export type AnswerOf<A> = A extends { readonly answerFormat: "confirm" }
  ? boolean
  : A extends { readonly answerFormat: "select"; readonly options: readonly (infer Chosen)[] }
    ? ValueOf<Chosen>
    : A extends { readonly answerFormat: "form"; readonly schema: infer Schema }
      ? OutputOf<Schema>
      : string;

/** What an external question's callback carried. */
export type PayloadOf<A> = A extends { readonly schema: infer Schema extends AnySchema }
  ? OutputOf<Schema>
  : { readonly [name: string]: Json };
