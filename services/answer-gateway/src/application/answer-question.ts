import {
  checkPlainAnswer,
  EXPIRED_MARKER,
  type FieldFault,
  type InteractionEvent,
  isExpiredMarker,
} from "@interlude/contract";
import {
  type Actor,
  authorize,
  type Interaction,
  type InteractionCommand,
  type InteractionRefusal,
  type KnownInteraction,
} from "@interlude/domain";
import { handleCommand, type InteractionStore, type TraceContext } from "@interlude/event-log";
import { compileSchema } from "@interlude/json-schema";
import { type Clock, type Json, ServiceFailure } from "@interlude/kernel";
import { type DataKey, digestUnder, sealAnswer } from "@interlude/secrets";
import type { AnswerKeys } from "@interlude/service-kit";
import { actorName } from "./actor-name.ts";
import { schemaOfAnswer } from "./form-of-asked.ts";

export type AnswerRequest = {
  id: string;
  actor: Actor;
  via: "door" | "callback" | "channel";
  answer: Json;
  params?: Readonly<Record<string, string>>;
  /** What was wrong with the body itself; told only where the question is there and open. */
  faults?: readonly FieldFault[];
  /** Present where the caller may repeat the request and means the same answer. */
  request?: { subject: string; key: string; fingerprint: string };
  trace?: TraceContext;
};

export type AnswerRefused =
  | { code: "not_found" }
  | { code: "forbidden" }
  | { code: "answered_elsewhere" }
  | { code: "invalid"; faults: readonly FieldFault[] };

export type AnswerOutcome =
  | { ok: true; state: KnownInteraction; sequence: number }
  | { ok: false; refused: AnswerRefused }
  | { ok: false; refusal: InteractionRefusal };

export type AnswerDeps = { store: InteractionStore; keys: AnswerKeys; clock: Clock };

/** Takes an answer by any way; the order of refusals is the contract's: hidden, external, ended, invalid. */
export async function answerQuestion(deps: AnswerDeps, request: AnswerRequest): Promise<AnswerOutcome> {
  const { id, actor, via, answer, params } = request;
  const content = {
    answer,
    ...(params === undefined ? {} : { params: { ...params } }),
    answered_by: actorName(actor),
    via,
    ...(request.request === undefined ? {} : { request: request.request }),
  };
  const command = { type: "Answer", content, nowMs: deps.clock.nowMs() } as const;
  let key: Promise<DataKey | undefined> | undefined;
  const readKey = () => (key ??= deps.keys.read(id));
  return handleCommand<AnswerRefused>(deps.store, id, command, () => deps.clock.nowMs(), {
    before: (state) => refuseActor(state, request),
    fit: (state) => fitToSensitive(readKey, command, state),
    after: (state) => refuseAnswer(state, answer, request.faults ?? []),
    seal: (event, state) => sealIfSensitive(readKey, event, state),
    ...(request.trace === undefined ? {} : { trace: request.trace }),
  });
}

function refuseActor(state: Interaction, { actor, via }: AnswerRequest): AnswerRefused | undefined {
  if (state.status === "unasked") return { code: "not_found" };
  const verdict = authorize(actor, "answer", state.asked);
  if (verdict === "hidden") return { code: "not_found" };
  if (verdict === "forbidden") return { code: "forbidden" };
  // An outside system answers an external question, through its callback only.
  if (via === "door" && state.asked.answer_format === "external") return { code: "answered_elsewhere" };
  return undefined;
}

function refuseAnswer(
  state: Interaction,
  answer: Json,
  bodyFaults: readonly FieldFault[],
): AnswerRefused | undefined {
  if (state.status === "unasked") return { code: "not_found" };
  const faults = bodyFaults.length > 0 ? bodyFaults : checkAnswer(state.asked, answer);
  return faults.length === 0 ? undefined : { code: "invalid", faults };
}

/** What is wrong with an answer to this question; paths are rooted at the request's body. */
function checkAnswer(asked: KnownInteraction["asked"], answer: Json): readonly FieldFault[] {
  if (isExpiredMarker(answer)) {
    const marker = Object.keys(EXPIRED_MARKER).join();
    return [{ path: "/answer", message: `answer must not be the reserved ${marker} marker` }];
  }
  const { answer_format: format, format_payload: payload } = asked;
  if (format !== "form" && format !== "external") return checkPlainAnswer(format, payload.options, answer);
  const schema = schemaOfAnswer(asked);
  if (schema === undefined) return [];
  const compiled = compileSchema(schema);
  if (!compiled.ok) return compiled.faults;
  return compiled.schema
    .validate(answer)
    .map((fault) => ({ path: `/answer${fault.path}`, message: fault.message }));
}

type ReadKey = () => Promise<DataKey | undefined>;
type AnswerCommand = Extract<InteractionCommand, { type: "Answer" }>;

/** By what a repeat of a sensitive answer is known is kept under its key too: a plain digest could be guessed. */
function fitToSensitive(
  readKey: ReadKey,
  command: AnswerCommand,
  state: Interaction,
): Promise<AnswerCommand> | undefined {
  const { request, ...content } = command.content;
  if (request === undefined || state.status === "unasked" || !state.asked.sensitive) return undefined;
  const { interaction_id: id } = state.asked;
  return readKey().then((dataKey) => {
    // Without the key nobody can tell a repeat from another answer: it is refused as one, never taken on trust.
    if (dataKey === undefined) return { ...command, content };
    const key = digestUnder(dataKey, "request-key", request.key, id);
    const fingerprint = digestUnder(dataKey, "request-content", request.fingerprint, id);
    return { ...command, content: { ...content, request: { ...request, key, fingerprint } } };
  });
}

/** A sensitive answer enters the log only sealed, by the key its question was asked with. */
async function sealIfSensitive(
  readKey: ReadKey,
  event: InteractionEvent,
  state: Interaction,
): Promise<InteractionEvent> {
  if (event.type !== "answered" || state.status === "unasked" || !state.asked.sensitive) return event;
  const { interaction_id: id, answer, params, ...rest } = event.data;
  const key = await readKey();
  if (key === undefined) throw new ServiceFailure("secret_missing", { retry: "later", context: { id } });
  const sealed = sealAnswer(key, JSON.stringify({ answer, params }), id);
  return { type: "answered", data: { ...rest, interaction_id: id, sealed } };
}
