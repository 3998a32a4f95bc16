import type { AnswerParams, AskedData, InboundUpdate } from "@interlude/contract";
import { unreachable } from "@interlude/kernel";

type Said<Kind> = Extract<InboundUpdate, { kind: Kind }>;
export type FromPerson = Said<"message"> | Said<"tap">;

/** A question as far as a reply can be to it. */
export type QuestionFacts = Readonly<{
  id: string;
  isOpen: boolean;
  onMismatch: NonNullable<AskedData["on_mismatch"]>;
  /** The messages that show it, where the provider has said which. */
  messageIds: readonly string[];
  /** Where it went. */
  address: string;
  /** It is on its way: what shows it is not known yet. */
  isSending: boolean;
}>;

/** What a reply comes to for the question that it is to. */
export type ReplyFit =
  | Readonly<{ kind: "answer"; answer: string | boolean; params?: AnswerParams }>
  | Readonly<{ kind: "mismatch"; reason: string }>
  /** A control that answers nothing by itself, as one that opens a form. */
  | Readonly<{ kind: "opens" }>;

export type InboundFacts = Readonly<{
  /** Whether the medium says which message a reply is to. */
  replyContext: boolean;
  /** The conversation's open questions, oldest first. */
  questions: readonly QuestionFacts[];
  /** The question whose control was tapped, open or not. */
  tapped?: QuestionFacts;
  /** A route takes what is no answer. */
  isRouted: boolean;
  /** A receipt that the reply has outrun may still come. */
  canWait: boolean;
  fit: (question: QuestionFacts) => ReplyFit;
}>;

export type DropReason = "no_route" | "unknown_question" | "another_conversation";

export type InboundDecision =
  | Readonly<{ kind: "answer"; id: string; answer: string | boolean; params?: AnswerParams }>
  /** It does not fit: the person is told what is expected. */
  | Readonly<{ kind: "mismatch"; id: string; reason: string }>
  | Readonly<{ kind: "open"; id: string }>
  /** The question is over: told to who tapped it. */
  | Readonly<{ kind: "over"; id: string }>
  /** Several could be meant: the person is asked to say which. */
  | Readonly<{ kind: "ambiguous" }>
  /** What shows a question is not known yet: look again. */
  | Readonly<{ kind: "wait" }>
  | Readonly<{ kind: "turn" }>
  | Readonly<{ kind: "drop"; reason: DropReason }>;

/** What becomes of what a person did: the question it is to, the conversation, or nothing; never a guess. */
export function decideInbound(said: FromPerson, facts: InboundFacts): InboundDecision {
  switch (said.kind) {
    case "tap":
      return decideTap(said, facts);
    case "message":
      return decideMessage(said, facts);
    default:
      return unreachable(said);
  }
}

function decideTap(tap: Said<"tap">, facts: InboundFacts): InboundDecision {
  const { tapped } = facts;
  if (tapped === undefined) return { kind: "drop", reason: "unknown_question" };
  if (tapped.address !== tap.address) {
    // Only the receipt tells where it went, where a provider knows the place by another name.
    if (tapped.isSending && facts.canWait) return { kind: "wait" };
    return { kind: "drop", reason: "another_conversation" };
  }
  if (!tapped.isOpen) return { kind: "over", id: tapped.id };
  return fitted(tapped, facts);
}

function decideMessage(message: Said<"message">, facts: InboundFacts): InboundDecision {
  const { canWait } = facts;
  if (message.ofForm === true) return conversation(facts);
  const target = targetOf(message, facts);
  if (target === "ambiguous") return { kind: "ambiguous" };
  if (target === "unsent") return canWait ? { kind: "wait" } : conversation(facts);
  return target === undefined ? conversation(facts) : fitted(target, facts);
}

type Target = QuestionFacts | "ambiguous" | "unsent" | undefined;

function targetOf({ replyTo, isDirect }: Said<"message">, facts: InboundFacts): Target {
  const open = facts.questions.filter((question) => question.isOpen);
  if (!facts.replyContext) {
    const [front] = open;
    return front === undefined || isShown(front) ? front : "unsent";
  }
  const isUnsent = open.some((question) => question.isSending);
  if (replyTo !== undefined) {
    const meant = open.find(({ messageIds }) => messageIds.includes(replyTo));
    return meant ?? (isUnsent ? "unsent" : undefined);
  }
  if (!isDirect) return undefined;
  const [only, other] = open.filter(isShown);
  if (other !== undefined) return "ambiguous";
  return only ?? (isUnsent ? "unsent" : undefined);
}

function isShown({ messageIds }: QuestionFacts): boolean {
  return messageIds.length > 0;
}

function fitted(question: QuestionFacts, facts: InboundFacts): InboundDecision {
  const { id } = question;
  const fit = facts.fit(question);
  if (fit.kind === "answer") return { ...fit, id };
  if (fit.kind === "opens") return { kind: "open", id };
  if (question.onMismatch === "bridge") return conversation(facts);
  return { kind: "mismatch", id, reason: fit.reason };
}

function conversation({ isRouted }: InboundFacts): InboundDecision {
  return isRouted ? { kind: "turn" } : { kind: "drop", reason: "no_route" };
}
