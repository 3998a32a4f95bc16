import type { AskedData, InteractionEvent } from "@interlude/contract";
import { fold, type Interaction, type InteractionCommand } from "@interlude/domain";
import { handleCommand, type InteractionStore } from "@interlude/event-log";
import { type Clock, type Json, ServiceFailure } from "@interlude/kernel";
import { digestUnder, sealAnswer } from "@interlude/secrets";
import type { AnswerKeys } from "@interlude/service-kit";

export type ReplyAnswer = Readonly<{
  id: string;
  answer: Json;
  params?: Readonly<Record<string, string>>;
  /** `channel:<name>:<the provider's id of the person>`. */
  by: string;
  /** The provider's id of the update: a repeat of it is no second answer. */
  updateId: string;
  /** The conversation that it was kept in. */
  address: string;
  /** Other updates of the conversation that hold a part of the answer. */
  parts?: readonly string[];
}>;

/** Who an answer is recorded as given by. */
export function answererOf(channel: string, from: string): string {
  return `channel:${channel}:${from}`;
}

type Kept = Pick<ReplyAnswer, "address" | "updateId" | "parts">;

export type ReplyAnswerDeps = Readonly<{
  store: InteractionStore;
  answerKeys: AnswerKeys;
  clock: Clock;
  /** Nothing but the sealed answer is to hold what the update said. */
  forget: (asked: AskedData, update: Pick<Kept, "address" | "updateId">) => Promise<void>;
}>;

/** The update itself goes last: while it stands, whoever finds it forgets the others too. */
async function forgetAll(
  forget: ReplyAnswerDeps["forget"],
  asked: AskedData,
  { address, updateId, parts = [] }: Kept,
): Promise<void> {
  for (const part of [...parts, updateId]) await forget(asked, { address, updateId: part });
}

/** Answers a question with what its recipient said; `over`: it had ended before. */
export async function answerByReply(
  { store, answerKeys, clock, forget }: ReplyAnswerDeps,
  { id, answer, params, by, ...kept }: ReplyAnswer,
): Promise<"answered" | "over"> {
  const { updateId } = kept;
  const content = {
    ...{ answer, answered_by: by, via: "channel" as const },
    ...(params === undefined ? {} : { params }),
    request: { subject: by, key: updateId, fingerprint: updateId },
  };
  const nowMs = (): number => clock.nowMs();
  const command = { type: "Answer", content, nowMs: nowMs() } as const;
  const handled = await handleCommand(store, id, command, nowMs, {
    fit: (state) => fitToSensitive(answerKeys, command, state),
    seal: (event, state) => sealIfSensitive(answerKeys, event, state),
  });
  if (!handled.ok) return "over";
  if (handled.state.asked.sensitive) await forgetAll(forget, handled.state.asked, kept);
  return "answered";
}

/**
 * Has this update answered the question before? A message goes by what is open, so that whoever decides it again,
 * the question being over, would make another answer of it, or a turn of what was to stay sealed.
 */
export async function wasAnswered(
  { store, answerKeys, forget }: Omit<ReplyAnswerDeps, "clock">,
  { id, by, ...kept }: Pick<ReplyAnswer, "id" | "by"> & Kept,
): Promise<boolean> {
  const { updateId } = kept;
  const folded = fold((await store.readFresh(id)).entries.map(({ entry }) => entry));
  if (!folded.ok || folded.state.status !== "answered") return false;
  const { asked, answered } = folded.state;
  if (answered.request?.subject !== by) return false;
  if (!asked.sensitive) return answered.request.key === updateId;
  const dataKey = await answerKeys.read(id);
  // Without the key nobody can tell; what may have been secret is rather taken for it.
  const isThis = dataKey === undefined || answered.request.key === digestUnder(dataKey, "key", updateId, id);
  if (isThis) await forgetAll(forget, asked, kept);
  return isThis;
}

type AnswerCommand = Extract<InteractionCommand, { type: "Answer" }>;

/** What tells a repeat of a sensitive answer is keyed with the same key as the answer, in the log and here. */
function fitToSensitive(
  answerKeys: AnswerKeys,
  command: AnswerCommand,
  state: Interaction,
): Promise<AnswerCommand> | undefined {
  const { request, ...content } = command.content;
  if (request === undefined || state.status === "unasked" || !state.asked.sensitive) return undefined;
  const { interaction_id: id } = state.asked;
  return answerKeys.read(id).then((dataKey) => {
    // Without the key nobody can tell a repeat from another answer: it is refused as one, never taken on trust.
    if (dataKey === undefined) return { ...command, content };
    const key = digestUnder(dataKey, "key", request.key, id);
    const fingerprint = digestUnder(dataKey, "fingerprint", request.fingerprint, id);
    return { ...command, content: { ...content, request: { ...request, key, fingerprint } } };
  });
}

/** A sensitive answer enters the log only sealed. */
async function sealIfSensitive(
  answerKeys: AnswerKeys,
  event: InteractionEvent,
  state: Interaction,
): Promise<InteractionEvent> {
  if (event.type !== "answered" || state.status === "unasked" || !state.asked.sensitive) return event;
  const { answer, params, ...rest } = event.data;
  const id = rest.interaction_id;
  const key = await answerKeys.read(id);
  if (key === undefined) throw new ServiceFailure("secret_missing", { retry: "later", context: { id } });
  const sealed = sealAnswer(key, JSON.stringify({ answer, params }), id);
  return { type: "answered", data: { ...rest, sealed } };
}
