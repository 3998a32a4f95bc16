import {
  type Channel,
  type InboundSubmission,
  type OutgoingNotification,
  type OutgoingQuestion,
  parseNotificationReference,
  submittedEntries,
} from "@interlude/channel-kit";
import { type FieldFault, type FormData, type FormPage, isExpiredMarker } from "@interlude/contract";
import { type FormEntries, type Submission, typeSubmission } from "@interlude/forms";
import { type Json, type JsonObject, pointer } from "@interlude/kernel";
import { outgoingNotification } from "../application/notification-work.ts";
import { outgoingQuestion, recipientOf } from "../application/outgoing-question.ts";
import { findSent } from "./find-sent.ts";
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
  const form = owner.kind === "question" ? owner.asked : owner.asked.form;
  const entries = submittedEntries(form, submitted.fields);
  const put = readableEntries(form, entries);
  const typed = typeForm(form, entries);
  if (!typed.ok) {
    const isOver = owner.kind === "question" && !owner.known.facts.isOpen;
    if (isOver) return { kind: "over", owner, text: overText(deps.language, owner.known), put };
    return { kind: "faults", owner, faults: typed.faults, put };
  }
  if (owner.kind === "notification") return { kind: "said", text: readableForm(form, typed.answer) };
  const { id } = owner.known.facts;
  const by = `channel:${channel.name}:${submitted.from}`;
  const outcome = await deps.answer({
    ...{ id, answer: typed.answer, by, updateId: submitted.updateId, address },
  });
  if (outcome === "answered") return { kind: "answered" };
  const { tapped } = await readQuestions(deps, channel, place, submitted.reference);
  return { kind: "over", owner, text: overText(deps.language, tapped), put };
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
