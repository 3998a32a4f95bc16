import {
  type Channel,
  type InboundSubmission,
  type OutgoingNotification,
  type OutgoingQuestion,
  parseNotificationReference,
  type ShownStep,
  submittedEntries,
  type SubmittedField,
} from "@interlude/channel-kit";
import { type FieldFault, type FormData, type FormPage, isExpiredMarker } from "@interlude/contract";
import { type FormEntries, type Submission, typeSubmission } from "@interlude/forms";
import { type Json, type JsonObject, pointer } from "@interlude/kernel";
import { outgoingNotification } from "../application/notification-work.ts";
import { outgoingQuestion, recipientOf } from "../application/outgoing-question.ts";
import { answererOf } from "./answer-by-reply.ts";
import { findSent } from "./find-sent.ts";
import { faultsByStep, gatherSteps, isLastStep, neighbour, type SentStep, stepFaults } from "./form-steps.ts";
import type { InboundDeps } from "./inbound-work.ts";
import { type Known, overText, type Place, placeOfSaid, readQuestions } from "./known-questions.ts";
import { readableEntries, readableForm } from "../forms/readable-form.ts";

/** Whose form it is. */
export type FormOwner =
  | Readonly<{ kind: "question"; known: Known; asked: OutgoingQuestion & { format: "form" } }>
  | Readonly<{ kind: "notification"; asked: OutgoingNotification & { form: PagedForm } }>;

type Form = Readonly<{ schema: JsonObject; data?: FormData; pages?: readonly FormPage[] }>;

type PagedForm = NonNullable<OutgoingNotification["form"]>;

export type Submitted = Readonly<{ address: string; submitted: InboundSubmission }>;

export type SubmissionOutcome =
  | Readonly<{ kind: "answered" }>
  /** It answers nothing: what was put in goes to the conversation. */
  | Readonly<{ kind: "said"; text: string }>
  | Readonly<{ kind: "over"; owner: FormOwner; text: string; put: string }>
  /** `put`: what was put in, as a person would have written it. */
  | Readonly<{ kind: "faults"; owner: FormOwner; faults: readonly FieldFault[]; put: string }>
  /** It goes on with another step. */
  | Readonly<{ kind: "step"; owner: FormOwner; shown: ShownStep }>
  /** What was put into an earlier step has gone. */
  | Readonly<{ kind: "lost"; owner: FormOwner }>
  /** Where it went is not known yet. */
  | Readonly<{ kind: "wait" }>
  | Readonly<{ kind: "unknown" }>;

/** The form that is called by a reference; of its own conversation only. */
export async function findForm(
  deps: InboundDeps,
  channel: Channel,
  place: Place,
  reference: string,
): Promise<FormOwner | "wait" | undefined> {
  const notificationId = parseNotificationReference(reference);
  if (notificationId !== undefined) return findNotification(deps, channel, place, notificationId);
  const { tapped: known } = await readQuestions(deps, channel, place, reference);
  if (known === undefined) return undefined;
  if (known.facts.address !== place.address) return known.facts.isSending ? "wait" : undefined;
  const asked = outgoingQuestion(channel, deps.links, known.progress.state.asked);
  return asked.format === "form" ? { kind: "question", known, asked } : undefined;
}

async function findNotification(
  deps: InboundDeps,
  channel: Channel,
  place: Place,
  id: string,
): Promise<FormOwner | "wait" | undefined> {
  const found = await findSent(deps, channel, place, id);
  if (found === undefined || found === "wait") return found;
  const asked = outgoingNotification(deps.links, found.sent, recipientOf(channel, found.sent));
  const { form } = asked;
  return form === undefined ? undefined : { kind: "notification", asked: { ...asked, form } };
}

/** What a submission of a medium's own form comes to, by the rules of every form. A repeat comes to the same. */
export async function decideSubmission(
  deps: InboundDeps,
  channel: Channel,
  { address, submitted }: Submitted,
): Promise<SubmissionOutcome> {
  const place = placeOfSaid(channel, address, submitted);
  const owner = await findForm(deps, channel, place, submitted.reference);
  if (owner === undefined) return { kind: "unknown" };
  if (owner === "wait") return { kind: "wait" };
  const { step } = submitted;
  if (step === undefined)
    return decideWhole(deps, channel, { address, submitted, owner, fields: submitted.fields });
  const sent = { address, submitted, step };
  if (!isLastStep(step)) return decideStep(deps, channel, sent, owner);
  const fields = await gatherSteps(deps, channel, sent);
  if (fields === undefined) return decideLost(deps, channel, sent, owner);
  const outcome = await decideWhole(deps, channel, { address, submitted, owner, fields });
  if (outcome.kind !== "faults") return outcome;
  const mended = await faultsByStep(deps, channel, sent, { form: formIn(owner), faults: outcome.faults });
  return "here" in mended
    ? { ...outcome, faults: mended.here }
    : { kind: "step", owner, shown: mended.elsewhere };
}

const formIn = (owner: FormOwner): Form => (owner.kind === "question" ? owner.asked : owner.asked.form);

const isOver = (owner: FormOwner): boolean => owner.kind === "question" && !owner.known.facts.isOpen;

function over({ language }: InboundDeps, owner: FormOwner, put: string): SubmissionOutcome {
  const known = owner.kind === "question" ? owner.known : undefined;
  return { kind: "over", owner, text: overText(language, known), put };
}

type Whole = Submitted & Readonly<{ owner: FormOwner; fields: readonly SubmittedField[] }>;

async function decideWhole(
  deps: InboundDeps,
  channel: Channel,
  { address, submitted, owner, fields }: Whole,
): Promise<SubmissionOutcome> {
  const form = formIn(owner);
  const entries = submittedEntries(form, fields);
  const put = readableEntries(form, entries);
  const typed = typeForm(form, entries);
  if (!typed.ok) {
    return isOver(owner) ? over(deps, owner, put) : { kind: "faults", owner, faults: typed.faults, put };
  }
  if (owner.kind === "notification") return { kind: "said", text: readableForm(form, typed.answer) };
  const answering = { ...answeringOf(channel, owner.known, submitted), address };
  const outcome = await deps.answer({ ...answering, answer: typed.answer });
  if (outcome === "answered") return { kind: "answered" };
  const place = placeOfSaid(channel, address, submitted);
  const { tapped } = await readQuestions(deps, channel, place, submitted.reference);
  return { kind: "over", owner, text: overText(deps.language, tapped), put };
}

/** Which answer it is, and which updates hold it. */
function answeringOf({ name }: Channel, { facts }: Known, { from, updateId, step }: InboundSubmission) {
  const parts = (step?.kept ?? []).filter((id) => id !== "");
  return { id: facts.id, by: answererOf(name, from), updateId, ...(parts.length === 0 ? {} : { parts }) };
}

async function decideStep(
  deps: InboundDeps,
  channel: Channel,
  sent: SentStep,
  owner: FormOwner,
): Promise<SubmissionOutcome> {
  const form = formIn(owner);
  const entries = submittedEntries(form, sent.submitted.fields);
  const put = readableEntries(form, entries);
  if (isOver(owner)) return over(deps, owner, put);
  // What the person goes back from may be half done.
  const isBack = sent.step.back !== undefined;
  const faults = isBack ? [] : [...brokenTexts(entries), ...stepFaults(form, sent)];
  if (faults.length > 0) return { kind: "faults", owner, faults, put };
  const shown = await neighbour(deps, channel, sent);
  const before = sent.step.kept[sent.step.page] ?? "";
  if (owner.kind === "question" && owner.known.progress.state.asked.sensitive && before !== "") {
    await deps.forget(owner.known.progress.state.asked, { address: sent.address, updateId: before });
  }
  return { kind: "step", owner, shown };
}

/**
 * Its parts go when a sensitive answer is taken: then this one is a repeat, or whoever holds the partition was faster
 * with it, so that how the question stands is looked at anew.
 */
async function decideLost(
  deps: InboundDeps,
  channel: Channel,
  { address, submitted }: SentStep,
  before: FormOwner,
): Promise<SubmissionOutcome> {
  const place = placeOfSaid(channel, address, submitted);
  const found = await findForm(deps, channel, place, submitted.reference);
  const owner = found === undefined || found === "wait" ? before : found;
  if (!isOver(owner) || owner.kind !== "question") return { kind: "lost", owner };
  const answering = { ...answeringOf(channel, owner.known, submitted), address };
  return (await deps.wasAnswered(answering)) ? { kind: "answered" } : over(deps, owner, "");
}

function typeForm(form: Form, entries: FormEntries): Submission {
  const typed = typeSubmission(form, entries);
  const faults = [...brokenTexts(entries), ...(typed.ok ? markerFaults(typed.answer) : typed.faults)];
  return faults.length === 0 ? typed : { ok: false, faults };
}

/** What no answer may hold, by whatever way it comes. */
function brokenTexts(entries: FormEntries): FieldFault[] {
  return entries.flatMap(([name, value]) =>
    /[\0\p{Cs}]/u.test(value)
      ? [{ path: pointer("", name), message: `${name} holds NUL or half a character` }]
      : [],
  );
}

function markerFaults(answer: Json): FieldFault[] {
  return isExpiredMarker(answer)
    ? [{ path: "", message: "the answer must not be the marker of an expired question" }]
    : [];
}
