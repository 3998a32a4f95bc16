import { type Channel, chatMessages, parseNotificationReference } from "@interlude/channel-kit";
import type { AskedData, InboundUpdate } from "@interlude/contract";
import { decideInbound, type FromPerson, type InboundDecision } from "@interlude/domain";
import type { ConversationStore, NotificationStore, StoredInbound } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";
import type { Keyring } from "@interlude/secrets";
import type { DeliveryRecord } from "../application/delivery-record.ts";
import { outgoingQuestion } from "../application/outgoing-question.ts";
import { pause } from "../application/pause.ts";
import { untilDone } from "../application/until-done.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { HeldPartition } from "../ports.ts";
import { acknowledge } from "./acknowledge.ts";
import { answererOf, type ReplyAnswer } from "./answer-by-reply.ts";
import { fitReply } from "./fit-reply.ts";
import { handleSubmission } from "./handle-submission.ts";
import {
  type Known,
  noticeOf,
  overText,
  type Place,
  placeOfSaid,
  readQuestions,
  recentQuestions,
} from "./known-questions.ts";
import { handleReplyTap } from "./handle-reply-tap.ts";
import { contextOf, rememberNotice, withNotice } from "./notice-context.ts";
import { openUpdate } from "./record-update.ts";
import { openLate, sendWaiting } from "./send-waiting.ts";
import { isRouted, utteranceOf } from "./utterance.ts";

export type InboundDeps = Readonly<{
  conversations: ConversationStore;
  record: DeliveryRecord;
  links: Parameters<typeof outgoingQuestion>[1];
  keyring: Keyring;
  clock: Clock;
  language: string;
  notifications: Pick<NotificationStore, "find" | "fateOf">;
  answer: (answer: ReplyAnswer) => Promise<"answered" | "over">;
  /** Whether what the person says has been the question's answer before. */
  wasAnswered: (reply: Pick<ReplyAnswer, "id" | "by" | "updateId" | "address" | "parts">) => Promise<boolean>;
  /** What was kept of an update of a conversation; `undefined`: it has gone. */
  kept: (channel: string, address: string, updateId: string) => Promise<InboundUpdate | undefined>;
  /** Keeps of an update that it came, and nothing of what it said. */
  forget: (asked: AskedData, update: { address: string; updateId: string }) => Promise<void>;
  onStatus: (
    channel: string,
    status: Extract<InboundUpdate, { kind: "status" }>,
  ) => Promise<"done" | "unknown">;
  mismatched: (id: string, updateId: string, reason: string) => Promise<void>;
  onIgnored: (channel: string, reason: string) => void;
  onFailure: (error: unknown) => void;
  /** Which question a provider's message shows. */
  questionOf: (channel: string, messageId: string) => Promise<string | undefined>;
  /** These messages of a provider belong to the question: it is found by what is said of them. */
  onReceipt: (channel: string, messageIds: readonly string[], id: string) => Promise<void>;
  /** Takes what answers no question. */
  talk: Conversations;
}>;

/** How long a reply waits for the receipt that it has outrun. */
const RECEIPT_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 500;
/** What is delivered for the first time so late may be told anew, by a consumer that was made again. */
const ANEW_AFTER_MS = 60_000;

/**
 * Each pause is as long as all before it: most statuses are of messages that no receipt will come for. The last look
 * is when the time for receipts is over.
 */
export function lookAgainAfterMs(agedMs: number): number {
  return Math.max(LOOK_AGAIN_MS, Math.min(agedMs, RECEIPT_WITHIN_MS - agedMs));
}

/** What a person did, decided in the lane of its conversation. `again`: its question's receipt is still on its way. */
export async function handleInbound(
  deps: InboundDeps,
  held: HeldPartition,
  { entry, storedAtMs }: StoredInbound,
  isRedelivered: boolean,
): Promise<"done" | "again"> {
  const { channel } = held;
  const canWait = (): boolean => deps.clock.nowMs() - storedAtMs < RECEIPT_WITHIN_MS;
  if (!("unknownType" in entry) && entry.update?.kind === "status") {
    const { needsOpener = false, messageId } = entry.update;
    if (needsOpener && (await openLate(deps, held, messageId))) return "done";
    if ((await deps.onStatus(channel.name, entry.update)) === "done") return "done";
    // It may have outrun the receipt of its message.
    if (canWait()) return "again";
    deps.onIgnored(channel.name, "status_of_no_question");
    return "done";
  }
  // What it said is in its answer, and was to stay nowhere else.
  if (!("unknownType" in entry) && entry.kind === "ignored") return "done";
  const received = "unknownType" in entry ? undefined : openUpdate(deps.keyring, entry.sealed);
  const said = received?.update;
  if (received === undefined) {
    deps.onIgnored(channel.name, "unreadable");
    return "done";
  }
  const { address } = received;
  if (said?.kind === "submission") {
    return inOrder(deps, held, address, () =>
      handleSubmission(deps, held, { address, submitted: said, canWait: canWait() }),
    );
  }
  if (said?.kind !== "message" && said?.kind !== "tap") {
    deps.onIgnored(channel.name, "unreadable");
    return "done";
  }
  let mayBeDone = isRedelivered || deps.clock.nowMs() - storedAtMs > ANEW_AFTER_MS;
  return inOrder(deps, held, address, async () => {
    const isRepeat = mayBeDone;
    mayBeDone = true;
    const place = placeOfSaid(channel, address, said);
    return decideOne(deps, held, { ...said, address }, { place, canWait: canWait(), isRepeat });
  });
}

/**
 * In order of what the person does, and beside what is sent to them, which may have to wait for long. What has to
 * wait itself does so here: handed back, it would be overtaken by what the person did after it.
 */
function inOrder(
  { onFailure }: InboundDeps,
  { outbox, stopping }: HeldPartition,
  address: string,
  decide: () => Promise<"done" | "again">,
): Promise<"done" | "again"> {
  return outbox.inLane(`from\n${address}`, async () => {
    while (!stopping.aborted) {
      if ((await untilDone(decide, stopping, onFailure)) === "done") return "done";
      await pause(LOOK_AGAIN_MS, stopping);
    }
    return "again";
  });
}

async function decideOne(
  deps: InboundDeps,
  held: HeldPartition,
  person: FromPerson,
  { place, canWait, isRepeat }: { place: Place; canWait: boolean; isRepeat: boolean },
): Promise<"done" | "again"> {
  const { channel } = held;
  const { address } = person;
  if (isRepeat && (await hasAnswered(deps, channel, person, place))) return "done";
  const reference = person.kind === "tap" ? person.reference : undefined;
  const notificationId = reference === undefined ? undefined : parseNotificationReference(reference);
  if (person.kind === "tap" && notificationId !== undefined) {
    return handleReplyTap(deps, held, { tap: person, place, notificationId, canWait });
  }
  const questions = await readQuestions(deps, channel, place, reference);
  const { tapped } = questions;
  const known = await withNotice(deps, channel, place, { person, known: questions.known });
  const decision = decideInbound(person, {
    replyContext: channel.capabilities.replyContext,
    questions: known.map(({ facts }) => facts),
    ...(tapped === undefined ? {} : { tapped: tapped.facts }),
    ...{ isRouted: isRouted(deps.talk, channel, person), canWait },
    fit: ({ id }) => {
      const about = [tapped, ...known].find((each) => each?.facts.id === id);
      if (about === undefined) return { kind: "mismatch", reason: "the question is gone" };
      const { asked } = about.progress.state;
      const numbered = about.progress.delivery.receipt?.numbered;
      return fitReply(person, asked, {
        ...{ format: outgoingQuestion(channel, deps.links, asked), language: deps.language },
        ...(numbered === undefined ? {} : { numbered }),
      });
    },
  });
  if (decision.kind === "wait") return "again";
  const isOver = (await carryOut(deps, held, { place, said: person, decision, known, tapped })) === "over";
  // Words to a question that has ended meanwhile are said to whom they go to now.
  if (isOver && person.kind === "message") return "again";
  await sendWaiting(held, address, known);
  return "done";
}

async function hasAnswered(
  deps: InboundDeps,
  channel: Channel,
  person: FromPerson,
  place: Place,
): Promise<boolean> {
  const { address, updateId } = person;
  for (const id of await recentQuestions(deps, channel, place)) {
    if (await deps.wasAnswered({ id, updateId, address, by: answererOf(channel.name, person.from) }))
      return true;
  }
  return false;
}

type Decided = Readonly<{
  place: Place;
  said: FromPerson;
  decision: InboundDecision;
  known: readonly Known[];
  tapped: Known | undefined;
}>;

/** `over`: the question that was to be answered has ended in between. */
async function carryOut(
  deps: InboundDeps,
  held: HeldPartition,
  decided: Decided,
): Promise<"over" | undefined> {
  const { channel, outbox } = held;
  const { place, said, decision, known, tapped } = decided;
  const { address } = place;
  const say = chatMessages(deps.language);
  switch (decision.kind) {
    case "answer": {
      const { id, answer, params } = decision;
      const outcome = await deps.answer({
        ...{ id, answer, by: answererOf(channel.name, said.from), updateId: said.updateId, address },
        ...(params === undefined ? {} : { params }),
      });
      const isOver = outcome === "over";
      await acknowledge(held, said, isOver ? await endedText(deps, channel, place, said) : undefined);
      return isOver ? "over" : undefined;
    }
    case "mismatch": {
      await deps.mismatched(decision.id, said.updateId, decision.reason);
      const about = [tapped, ...known].find((each) => each?.facts.id === decision.id);
      const text = about === undefined ? decision.reason : noticeOf(deps, channel, about, decision.reason);
      const told = await outbox.send(address, channel.renderNotice(address, text, contextOf(said)));
      await rememberNotice(deps, channel, place, { id: decision.id, told });
      return undefined;
    }
    case "ambiguous":
      await outbox.send(address, channel.renderNotice(address, say.expectContext));
      return undefined;
    case "over":
      await acknowledge(held, said, overText(deps.language, tapped));
      return undefined;
    case "turn":
      if (said.kind === "message") await deps.talk.enter(channel.name, utteranceOf(said, place));
      return undefined;
    case "open":
    case "wait":
      await acknowledge(held, said, undefined);
      return undefined;
    case "drop":
      deps.onIgnored(channel.name, decision.reason);
      await acknowledge(held, said, undefined);
      return undefined;
  }
}

/** How the question of a tap, which has ended since it was read, came to its end. */
async function endedText(
  deps: InboundDeps,
  channel: Channel,
  place: Place,
  said: FromPerson,
): Promise<string | undefined> {
  if (said.kind !== "tap") return undefined;
  const { tapped } = await readQuestions(deps, channel, place, said.reference);
  return overText(deps.language, tapped);
}
