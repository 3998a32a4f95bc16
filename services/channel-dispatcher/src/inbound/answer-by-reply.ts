import type { AnsweredData, InteractionEvent } from "@interlude/contract";
import type { Interaction } from "@interlude/domain";
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
}>;

/** Answers a question with what its recipient said; `over`: it had ended before. */
export async function answerByReply(
  { store, answerKeys, clock }: { store: InteractionStore; answerKeys: AnswerKeys; clock: Clock },
  { id, answer, params, by, updateId }: ReplyAnswer,
): Promise<"answered" | "over"> {
  const content = {
    ...{ answer, answered_by: by, via: "channel" as const },
    ...(params === undefined ? {} : { params }),
    request: { subject: by, key: updateId, fingerprint: updateId },
  };
  const nowMs = (): number => clock.nowMs();
  const command = { type: "Answer", content, nowMs: nowMs() } as const;
  const handled = await handleCommand(store, id, command, nowMs, {
    seal: (event, state) => sealed(answerKeys, event, state),
  });
  return handled.ok ? "answered" : "over";
}

/** A sensitive answer enters the log only sealed, and what tells its repeat is keyed with the same key. */
async function sealed(
  answerKeys: AnswerKeys,
  event: InteractionEvent,
  state: Interaction,
): Promise<InteractionEvent> {
  if (event.type !== "answered" || state.status === "unasked" || !state.asked.sensitive) return event;
  const { answer, params, request, ...rest } = event.data;
  const id = rest.interaction_id;
  const key = await answerKeys.read(id);
  if (key === undefined) throw new ServiceFailure("secret_missing", { retry: "later", context: { id } });
  const digested: AnsweredData["request"] =
    request === undefined
      ? undefined
      : {
          subject: request.subject,
          key: digestUnder(key, "key", request.key, id),
          fingerprint: digestUnder(key, "fingerprint", request.fingerprint, id),
        };
  return {
    type: "answered",
    data: {
      ...rest,
      sealed: sealAnswer(key, JSON.stringify({ answer, params }), id),
      ...(digested === undefined ? {} : { request: digested }),
    },
  };
}
