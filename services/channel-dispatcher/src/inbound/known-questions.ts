import { type Channel, chatMessages, expectation, fillNotice, referenceOf } from "@interlude/channel-kit";
import { type Conversation, deadlineMs, foldConversation, type QuestionFacts } from "@interlude/domain";
import type { Progress } from "../application/delivery-record.ts";
import { outgoingQuestion } from "../application/outgoing-question.ts";
import { placeOf } from "../conversations/logged-queue.ts";
import type { InboundDeps } from "./inbound-work.ts";

/** A question with what a reply to it needs. */
export type Known = Readonly<{ facts: QuestionFacts; progress: Progress }>;

const RECENT = 20;

/**
 * A conversation by the name it is kept under, and by the one that the provider says now: people are asked by either,
 * as by a member's id and by that of the direct messages.
 */
export type Place = Readonly<{ address: string; saidAt: string }>;

export function placeOfSaid(channel: Channel, address: string, said: { address: string }): Place {
  return { address, saidAt: channel.address(said.address) };
}

/** The open questions of a conversation, and the one that is called by a reference, open or not. */
export async function readQuestions(
  deps: InboundDeps,
  channel: Channel,
  place: Place,
  reference: string | undefined,
): Promise<{ known: Known[]; tapped: Known | undefined }> {
  const { open, closed } = await readConversation(deps, channel, place);
  const known: Known[] = [];
  for (const id of open) {
    const about = await readQuestion(deps, id, place);
    if (about !== undefined) known.push(about);
  }
  if (reference === undefined) return { known, tapped: undefined };
  const tapped =
    known.find(({ facts }) => referenceOf(facts.id) === reference) ??
    (await readQuestion(deps, idOf(reference, closed), place));
  return { known, tapped };
}

/** A reference is the id, but for one that was too long for a button. */
function idOf(reference: string, closed: Iterable<string>): string {
  for (const id of closed) if (referenceOf(id) === reference) return id;
  return reference;
}

/** Those that something said here may have answered: the open ones, and the last that have gone. */
export async function recentQuestions(
  deps: InboundDeps,
  channel: Channel,
  place: Place,
): Promise<readonly string[]> {
  const { open, closed } = await readConversation(deps, channel, place);
  return [...open, ...[...closed].slice(-RECENT)];
}

async function readConversation(
  deps: InboundDeps,
  channel: Channel,
  { address, saidAt }: Place,
): Promise<Conversation> {
  const events = await Promise.all(
    [...new Set([address, saidAt])].map(async (each) => {
      const { entries } = await deps.conversations.read(placeOf(deps.keyring, channel.name, each));
      return entries.flatMap(({ entry, sequence }) => ("unknownType" in entry ? [] : [{ entry, sequence }]));
    }),
  );
  const inOrder = events.flat().sort((one, other) => one.sequence - other.sequence);
  return foldConversation(inOrder.map(({ entry }) => entry));
}

async function readQuestion(
  deps: InboundDeps,
  id: string,
  { address, saidAt }: Place,
): Promise<Known | undefined> {
  const progress = await deps.record.read(id);
  if (progress === undefined) return undefined;
  const { state, delivery } = progress;
  const { asked } = state;
  const isOpen = state.status === "pending" && deps.clock.nowMs() < deadlineMs(asked);
  const askedAt = asked.address ?? asked.recipient;
  const isOfHere = askedAt === address || askedAt === saidAt;
  const facts: QuestionFacts = {
    ...{ id, isOpen, onMismatch: asked.on_mismatch ?? "retry" },
    messageIds: delivery.receipt?.messageIds ?? [],
    address: isOfHere ? address : "elsewhere",
    isSending: isOpen && delivery.isUnfinished,
  };
  return { facts, progress };
}

/** What is said where a reply does not fit. */
export function noticeOf(deps: InboundDeps, channel: Channel, { progress }: Known, reason: string): string {
  const { asked } = progress.state;
  if (asked.mismatch_notice !== undefined) return fillNotice(asked.mismatch_notice, reason);
  const isNumbered = progress.delivery.receipt?.numbered !== undefined;
  return expectation(outgoingQuestion(channel, deps.links, asked), isNumbered, deps.language);
}

/** What is said to whoever is too late: how its question ended. */
export function overText(language: string, late: Known | undefined): string {
  const say = chatMessages(language);
  const status = late?.progress.state.status ?? "failed";
  return status === "pending" ? say.expired : say[status];
}
