import type {
  AnswerOf,
  AnySchema,
  AskConfirm,
  AskExternal,
  AskForm,
  AskSelect,
  AskText,
  Json,
  PayloadOf,
} from "@interlude/sdk";

/** What a graph cannot say about a question: it is async, its id comes from the thread, and nobody awaits it. */
type NotOfAGraph = "id" | "mode" | "timeoutSeconds" | "signal" | "expiryAt";
type Parked<A> = Omit<A, NotOfAGraph> &
  Readonly<{
    /** Until when it can be answered. Required: a run that waits without an end never ends. */
    expiryAt: Date | string;
  }>;

export type GraphAsk = Parked<AskText> | Parked<AskConfirm> | Parked<AskSelect> | Parked<AskForm>;
export type GraphAskExternal = Parked<Omit<AskExternal, "reservation">>;

/** What stands for the answer of a question that nobody answered in time. Never a "no": a refusal is an answer. */
export type Expired = Readonly<{ interaction_expired: true }>;

export type GraphAnswer<A> = AnswerOf<A> | Expired;
export type GraphPayload<A> = PayloadOf<A> | Expired;

export function isExpired(answer: unknown): answer is Expired {
  return (
    typeof answer === "object" &&
    answer !== null &&
    "interaction_expired" in answer &&
    answer.interaction_expired === true &&
    Object.keys(answer).length === 1
  );
}

export type WithSchema = Readonly<{ schema?: AnySchema | undefined }>;

/** A question as it lies in a checkpoint. */
export type StoredAsk = Readonly<{ link?: string; ask: Readonly<Record<string, Json>> }>;
